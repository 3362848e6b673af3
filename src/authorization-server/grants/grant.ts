import type { Publish } from '../events.js'
import type { AuthenticatedClient, Entitlement } from '../model.js'
import type { Family } from '../stores/issued-tokens.js'

/** Parameters of a grant by name; a missing or empty one is absent. */
export type GrantParameters = { readonly [name: string]: string | undefined }

/** The members of a token request that a grant sees beside its own parameters. */
export interface GrantContext {
  /** `audience` (RFC 8693 §2.1). */
  readonly audiences: readonly string[]
  /** Address of the peer, where the request came through a socket. */
  readonly remoteAddress: string | undefined
  readonly publish: Publish
}

/** A key that the token request must prove to hold, because something it presents is bound to that key. */
export type RequiredKey =
  /** The authorization request named the key (RFC 9449 §10). */
  | { readonly of: 'dpop_jkt'; readonly jkt: string }
  /** A refresh token of a public client (RFC 9449 §5). */
  | { readonly of: 'refresh_token'; readonly jkt: string; readonly evidence: string }
  /** A token that is exchanged (RFC 9449 §7.1). */
  | { readonly of: 'subject_token' | 'actor_token'; readonly jkt: string }

/**
 * A grant's decision on a token request that it accepts. The token endpoint makes an `Entitlement` of it: it adds the
 * client, and binds the tokens to the key and the resources of the request.
 */
export interface Decision
  extends Pick<Entitlement, 'subject' | 'scope' | 'login' | 'act' | 'notAfter' | 'issuedTokenType'> {
  /** Keys that the request must prove to hold; left out: none. */
  readonly requiredKeys?: readonly RequiredKey[]
  /** Resources of an earlier authorization, which the request may only narrow. Left out or empty: no limit. */
  readonly authorizedResources?: readonly string[]
  /** Resources of the access token beside those that `resource` names. */
  readonly audiences?: readonly string[]
  /** The tokens that the new ones are revoked with; left out: a new family. */
  readonly family?: Family
  /**
   * Uses up what the request presented, and returns the refresh token that goes out with the tokens. Called once, when
   * nothing stands against the request any more. It does not wait for anything, so that of parallel requests only the
   * first succeeds.
   * @throws OAuthError where another request was first
   */
  redeem?(entitlement: Entitlement): string | undefined
}

/** One row of the table of grants: a `grant_type` and its rules. */
export interface Grant {
  readonly grantType: string
  /** Parameters it reads, beside those of every token request. The endpoint refuses a repeated one. */
  readonly parameters: readonly string[]
  /**
   * Judges a request of an authenticated client that is registered for this grant.
   * @throws OAuthError with a code of RFC 6749 §5.2
   */
  decide(client: AuthenticatedClient, parameters: GrantParameters, context: GrantContext): Promise<Decision>
}
