import type { AuthorizationDetails } from '../../../protocol/oauth/authorization-details.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import type { Publish } from '../events.js'
import type { AuthenticatedClient, Binding, Entitlement, Family } from '../model.js'
import type { AuthorizationServerSettings } from '../settings.js'

/** Parameters of a grant by name. A missing or empty parameter is absent. */
export type GrantParameters = { readonly [name: string]: string | undefined }

/** The members of a token request that a grant gets beside its own parameters. */
export interface GrantContext {
  /** `audience` (RFC 8693 §2.1). */
  readonly audiences: readonly string[]
  /** The resources that an audience may name. */
  readonly resources: AuthorizationServerSettings['resources']
  /** `authorization_details`, checked by the rules of their types. Undefined: the request has none. */
  readonly details: AuthorizationDetails | undefined
  /** Address of the peer, when the request came through a socket. */
  readonly remoteAddress: string | undefined
  /** The key or certificate that the request proves to hold, to which new tokens are bound. */
  readonly binding: Binding
  readonly publish: Publish
}

/** A key or certificate that the token request must prove to hold, because a presented token or code is bound to that key. */
export type RequiredKey =
  /** The authorization request named the key (RFC 9449 §10). */
  | { readonly of: 'dpop_jkt'; readonly jkt: string }
  /** A refresh token of a public client (RFC 9449 §5). */
  | { readonly of: 'refresh_token'; readonly jkt: string; readonly evidence: string }
  /** A token that is exchanged (RFC 9449 §7.1). */
  | { readonly of: 'subject_token' | 'actor_token'; readonly jkt: string }
  /** The certificate of a token that is presented (RFC 8705 §4, §7.1). */
  | {
      readonly of: 'certificate'
      readonly token: 'refresh_token' | 'subject_token' | 'actor_token'
      readonly thumbprint: string
      readonly evidence?: string
    }

/**
 * A grant's decision on a token request that it accepts. The token endpoint turns it into an `Entitlement`: it adds the
 * client, and binds the tokens to the key and the resources of the request.
 */
export interface Decision
  extends Pick<
    Entitlement,
    'subject' | 'scope' | 'login' | 'withoutIdToken' | 'claims' | 'act' | 'notAfter' | 'issuedTokenType'
  > {
  /** Keys that the request must prove to hold. Absent: no key. */
  readonly requiredKeys?: readonly RequiredKey[]
  /** Resources of an earlier authorization. The request may only narrow them. Absent: no earlier authorization. */
  readonly authorizedResources?: readonly string[]
  /** Details of an earlier authorization. The request may only narrow them. Absent: no earlier authorization. */
  readonly authorizedDetails?: AuthorizationDetails
  /** Resources of the access token when the request and its authorization name none. Absent: the client. */
  readonly defaultResources?: readonly string[]
  /** Resources of the access token, in addition to those of the `resource` parameters. */
  readonly audiences?: readonly string[]
  /** The tokens that are revoked together with the new ones. Absent: a new family. */
  readonly family?: Family
  /**
   * Uses up the presented code or token, and returns the new refresh token. Called once, after all other checks. It is
   * synchronous, so that only the first of parallel requests succeeds.
   * @throws OAuthError when another request has used it up before
   */
  redeem?(entitlement: Entitlement): string | undefined
}

/** A grant: a `grant_type` and its rules. */
export interface Grant {
  readonly grantType: string
  /** Parameters of this grant, beside those of every token request. The endpoint refuses a repeated one. */
  readonly parameters: readonly string[]
  /** Parameters of this grant that may be repeated, beside `resource`. Absent: none. */
  readonly repeatable?: readonly string[]
  /**
   * Returns the client of a request that names no client and has no credentials. Absent or undefined: the request needs
   * a client.
   */
  clientFor?(parameters: GrantParameters): Promise<AuthenticatedClient | undefined>
  /**
   * Decides on a request of an authenticated client that is registered for this grant.
   * @throws OAuthError with a code of RFC 6749 §5.2
   */
  decide(client: AuthenticatedClient, parameters: GrantParameters, context: GrantContext): Promise<Decision>
}

/** Returns the error for a code, token or assertion that the server does not accept (RFC 6749 §5.2). */
export function invalidGrant(
  description: string,
  rule: Citation,
  evidence?: string,
): OAuthError<'invalid_grant'> {
  return new OAuthError('invalid_grant', { description, rule, evidence })
}

/** Returns the error for a malformed token request (RFC 6749 §5.2). */
export function invalidRequest(
  description: string,
  rule: Citation,
  evidence?: string,
): OAuthError<'invalid_request'> {
  return new OAuthError('invalid_request', { description, rule, evidence })
}

/**
 * Returns the value of a required parameter.
 * @throws OAuthError `invalid_request` when it is missing
 */
export function required(value: string | undefined, name: string, rule: Citation): string {
  if (value !== undefined) return value
  throw invalidRequest(`${name} is missing`, rule)
}
