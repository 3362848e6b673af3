import type { FormPairs } from '../http/form.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { parseScope } from '../oauth/scope.js'
import type { ClientSecretPlace } from '../oauth/token.js'
import type { AssertionSource } from './assertion-source.js'
import type { CarriedKeys } from './verify-tokens.js'

/** The options of every flow: its parties and what they want. */
export interface FlowOptions {
  readonly metadata: AuthorizationServerMetadata
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
  readonly redirectUri: string
  readonly scope?: string
  /** Binds the code to this client by a code_challenge (RFC 7636). */
  readonly pkce: boolean
  /** The audience that the access token must name; absent when only the resource server cares. */
  readonly audience?: string
  /** The keys that verify the tokens of a server that publishes none. */
  readonly carriedKeys?: CarriedKeys
  /** The protected resource that is asked with the token at the end; absent: none is. */
  readonly resource?: string
  /** An access token that is there already: no grant is needed first. */
  readonly accessToken?: string
  /** How the resource owner's leave is got, where a flow needs a grant before its own (default: the code grant). */
  readonly first?: 'code' | 'password'
  /** The maker of the assertion that is sent. */
  readonly assertion?: AssertionSource
  /** More parameters of the authorization request; none that it has by itself. */
  readonly authorizationParameters?: FormPairs
  /** Pushes the authorization request to the server beforehand (RFC 9126). */
  readonly push?: boolean
  /**
   * True when access tokens concern only servers that this client does not belong to (RFC 6749 §1.4). Problems that it
   * sees in one are then advice and refuse nothing.
   */
  readonly foreignAccessTokens?: boolean
  /** The type of access token to ask for; absent: Bearer. */
  readonly tokenType?: 'mac'
  /** The audience of an exchanged token (RFC 8693 §2.1 `audience`). */
  readonly exchangeFor?: string
}

/** True for a scope value that asks for OpenID Connect (OpenID Connect Core §3.1.2.1). */
export function asksForOpenId(scope: string | undefined): boolean {
  return scope !== undefined && (parseScope(scope)?.includes('openid') ?? false)
}
