import type { Publish } from '../events.js'
import type { Actor, AuthenticatedClient } from '../model.js'
import type { Family } from '../stores/issued-tokens.js'

/** Parameters of a grant by name; a missing or empty one is absent. */
export type GrantParameters = { readonly [name: string]: string | undefined }

/** What a token request says beside the parameters of its grant. */
export interface GrantContext {
  /** `resource`, each an absolute URI (RFC 8707 §2). */
  readonly resources: readonly string[]
  /** `audience` (RFC 8693 §2.1). */
  readonly audiences: readonly string[]
  /** Thumbprint of the key that the request proves to hold (RFC 9449 §5). */
  readonly jkt: string | undefined
  /** Address of the peer, where the request came through a socket. */
  readonly remoteAddress: string | undefined
  readonly publish: Publish
}

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
  /** Thumbprint of the key the access token is bound to; absent: a bearer token. */
  readonly jkt?: string
  readonly act?: Actor
  /** NumericDate that the access token does not outlive. */
  readonly notAfter?: number
  /** Goes out with the tokens. */
  readonly refreshToken?: string
  /** `issued_token_type` of the answer (RFC 8693 §2.2.1). */
  readonly issuedTokenType?: string
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
  redeem(
    client: AuthenticatedClient,
    parameters: GrantParameters,
    context: GrantContext,
  ): Promise<Entitlement>
}
