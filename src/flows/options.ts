import type { FormPairs } from '../http/form.js'
import type { AuthorizationServerMetadata } from '../oauth/metadata.js'
import { parseScope } from '../oauth/scope.js'
import type { ClientSecretPlace } from '../oauth/token.js'
import type { AssertionSource } from './assertion-source.js'
import type { CarriedKeys } from './verify-tokens.js'

/** What every flow is told: who asks whom for what. */
export interface FlowOptions {
  readonly metadata: AuthorizationServerMetadata
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
  readonly redirectUri: string
  readonly scope?: string
  /** Whether to bind the code to this client by a code_challenge (RFC 7636). */
  readonly pkce: boolean
  /** Whom the access token must name; absent where that is the resource server's business alone. */
  readonly audience?: string
  /** What verifies the tokens of a server that publishes no keys. */
  readonly carriedKeys?: CarriedKeys
  /** The protected resource that is asked with the token at the end; absent: none is. */
  readonly resource?: string
  /** An access token that is there already: no grant is needed first. */
  readonly accessToken?: string
  /** How the resource owner's leave is got, where a flow needs a grant before its own (default: the code grant). */
  readonly first?: 'code' | 'password'
  /** Who makes the assertion that is sent. */
  readonly assertion?: AssertionSource
  /** More parameters of the authorization request; none that it has by itself. */
  readonly authorizationParameters?: FormPairs
  /** Whether to push the authorization request to the server beforehand (RFC 9126). */
  readonly push?: boolean
  /**
   * Whether access tokens are a matter between servers that this client does not belong to (RFC 6749 §1.4): what it
   * cannot verify in one is pointed out, and refuses nothing.
   */
  readonly foreignAccessTokens?: boolean
  /** The type of access token to ask for; absent: Bearer. */
  readonly tokenType?: 'mac'
  /** Whom an exchanged token is to be for (RFC 8693 §2.1 `audience`). */
  readonly exchangeFor?: string
}

/** Whether a scope value asks for OpenID Connect (OpenID Connect Core §3.1.2.1). */
export function asksForOpenId(scope: string | undefined): boolean {
  return scope !== undefined && (parseScope(scope)?.includes('openid') ?? false)
}
