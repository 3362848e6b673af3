import type { KeyObject } from 'node:crypto'
import type { FormPairs } from '../protocol/http/form.js'
import type { AuthorizationDetails } from '../protocol/oauth/authorization-details.js'
import type { ResponseMode } from '../protocol/oauth/authorization-request.js'
import type { AuthorizationServerMetadata } from '../protocol/oauth/metadata.js'
import { parseScope, sameResource } from '../protocol/oauth/scope.js'
import type { ClientSecretPlace } from '../protocol/oauth/token.js'
import type { CarriedKeys } from '../protocol/tokens/keys.js'
import type { WantedRequestObject } from '../protocol/tokens/request-object.js'
import type { RegisteredAlgorithm } from './answers/announced-algorithms.js'
import type { AssertionSource } from './requests/assertion-source.js'
import type { BackchannelWish } from './requests/backchannel-wish.js'
import type { LoginWish } from './requests/login-demand.js'
import type { MakeObject } from './requests/object-draft.js'

/** The options of every flow: its parties and what they want. */
export interface FlowOptions extends LoginWish {
  readonly metadata: AuthorizationServerMetadata
  readonly clientId: string
  readonly clientSecret?: string
  /** The key that decrypts id_tokens, userinfo and authorization responses. */
  readonly decryptionKey?: KeyObject
  /** The algorithms that the client is registered for. Absent: those that the provider announces. */
  readonly registeredAlgorithms?: {
    readonly idToken?: RegisteredAlgorithm
    readonly userinfo?: RegisteredAlgorithm
    readonly authorization?: RegisteredAlgorithm
  }
  readonly auth: ClientSecretPlace
  readonly redirectUri: string
  readonly scope?: string
  /** Authorization details that the requests ask for (RFC 9396). */
  readonly authorizationDetails?: AuthorizationDetails
  /** Binds the code to this client by a code_challenge (RFC 7636). */
  readonly pkce: boolean
  /** The audience that the access token must name; absent when only the resource server cares. */
  readonly audience?: string
  /** The keys that verify the tokens of a server that publishes none. */
  readonly carriedKeys?: CarriedKeys
  /**
   * The resource that the requests ask an access token for (RFC 8707 §2 `resource`). The client then accepts this audience
   * in place of `audience`.
   */
  readonly resourceIndicator?: string
  /** The protected resource that the flow requests with its token at the end. Absent: no such request. */
  readonly resource?: string
  /** An access token that the person already has. The flow then obtains none first. */
  readonly accessToken?: string
  /** A refresh token that the person already has. The refresh flow then obtains none first, and shows no thief. */
  readonly refreshToken?: string
  /** The type of `accessToken` as the subject of an exchange, a URI (RFC 8693 §3). Default: that of access tokens. */
  readonly subjectTokenType?: string
  /** The token of the party that acts for the subject (RFC 8693 §2.1). */
  readonly actorToken?: string
  /** Its type. Default: that of access tokens. */
  readonly actorTokenType?: string
  /** The grant that comes first, in a flow that needs tokens before its own grant. Default: `code`. */
  readonly first?: 'code' | 'password'
  /** The maker of the assertion that the assertion flow sends. */
  readonly assertion?: AssertionSource
  /** Further parameters of the authorization request. None that the flow sends itself. */
  readonly authorizationParameters?: FormPairs
  /** The response type of the hybrid flow. Default: `code id_token`. */
  readonly responseType?: string
  /** The way the authorization response is to travel. Absent: the default of the response type. */
  readonly responseMode?: ResponseMode
  /** Pushes the authorization request to the server beforehand (RFC 9126). */
  readonly push?: boolean
  /** Sends the authorization request as a request object (RFC 9101). */
  readonly requestObject?: WantedRequestObject
  /** Makes the request object in another way than an honest client, for wrong moves. */
  readonly makeRequestObject?: MakeObject
  /**
   * True when access tokens are for other parties to check (RFC 6749 §1.4). Failed checks of an access token are then
   * advice, and refuse nothing.
   */
  readonly foreignAccessTokens?: boolean
  /** True for a client that discards access tokens that are bound to no DPoP key (RFC 9449 §5). */
  readonly requiresDpop?: boolean
  /** The address that the browser returns to after a logout. Absent: none is sent, and the logout page is the end. */
  readonly postLogoutRedirectUri?: string
  /** The way the browser sends the logout request. Default: `GET`. */
  readonly logoutMethod?: 'GET' | 'POST'
  /** False for a logout request without an ID token. */
  readonly sendsHint?: boolean
  /** The person that the logout request names, beside the ID token or in place of it. */
  readonly logoutHint?: string
  /** Languages that the logout request asks for, with spaces between them. */
  readonly logoutLocales?: string
  /** The type of access token to ask for; absent: Bearer. */
  readonly tokenType?: 'mac'
  /** The backchannel authentication request (OpenID Connect CIBA Core §7.1). */
  readonly backchannel?: BackchannelWish
  /** The audience of an exchanged token (RFC 8693 §2.1 `audience`). */
  readonly exchangeFor?: string
}

/** True when the userinfo endpoint is to accept the access token: it names no resource, or the server of that endpoint. */
export function isForUserinfo({
  metadata: { issuer, userinfo_endpoint: endpoint },
  resourceIndicator: named,
}: Pick<FlowOptions, 'metadata' | 'resourceIndicator'>): boolean {
  if (endpoint === undefined) return false
  if (named === undefined || sameResource(named, endpoint)) return true
  return issuer !== undefined && sameResource(named, issuer)
}

/** Returns the parameter of a request with authorization details (RFC 9396 §2); none for a request without. */
export function detailsParameters({
  authorizationDetails: details,
}: Pick<FlowOptions, 'authorizationDetails'>): FormPairs {
  return details === undefined ? [] : [['authorization_details', JSON.stringify(details)]]
}

/** The response type that the hybrid flow asks for by default. */
export const HYBRID_TYPE = 'code id_token'

/** True for a scope value that asks for OpenID Connect (OpenID Connect Core §3.1.2.1). */
export function asksForOpenId(scope: string | undefined): boolean {
  return scope !== undefined && (parseScope(scope)?.includes('openid') ?? false)
}

/** True for a flow that begins with a token of the person, and needs no login. */
export function beginsWithToken({
  accessToken,
  refreshToken,
}: Pick<FlowOptions, 'accessToken' | 'refreshToken'>): boolean {
  return accessToken !== undefined || refreshToken !== undefined
}
