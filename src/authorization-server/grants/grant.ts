import type { AuthenticatedClient } from '../client-authentication.js'
import type { Family } from '../issued-tokens.js'

/** Parameters of a grant by name; a missing or empty one is absent. */
export type GrantParameters = { readonly [name: string]: string | undefined }

/** What a client is entitled to: the token endpoint makes tokens of it. */
export interface Entitlement {
  /** `sub`: the username, or the client where no user is involved. */
  readonly subject: string
  readonly scope: readonly string[]
  /** What the access token is for (RFC 8707); absent or empty: the client itself. */
  readonly resources?: readonly string[]
  /** Tokens that are revoked together. */
  readonly family: Family
  /** The login behind it, where there was one; an id_token tells of it. */
  readonly login?: {
    /** Milliseconds since the epoch. */
    readonly at: number
    readonly nonce?: string
  }
}

/** One row of the table of grants: a `grant_type` and how it is judged. */
export interface Grant {
  readonly grantType: string
  /** Parameters it reads, beside those of every token request. A repeated one is refused before. */
  readonly parameters: readonly string[]
  /**
   * Judges a request of an authenticated client that is registered for this grant.
   * @throws OAuthError with a code of RFC 6749 §5.2
   */
  redeem(client: AuthenticatedClient, parameters: GrantParameters): Promise<Entitlement>
}
