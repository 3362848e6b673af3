import type { KeyObject } from 'node:crypto'
import type { FormPairs } from '../protocol/http/form.js'
import type { AuthorizationDetails } from '../protocol/oauth/authorization-details.js'
import type { ResponseMode } from '../protocol/oauth/authorization-request.js'
import type { AuthorizationServerMetadata } from '../protocol/oauth/metadata.js'
import { parseScope, sameResource } from '../protocol/oauth/scope.js'
import type { ClientSecretPlace } from '../protocol/oauth/token.js'
import type { CarriedKeys } from '../protocol/tokens/keys.js'
import type { WantedRequestObject } from '../protocol/tokens/request-object.js'
import type { RegisteredAlgorithm } from './answers/verify-tokens.js'
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
  /** Absent: those that the provider announces. */
  readonly registeredAlgorithms?: {
    readonly idToken?: RegisteredAlgorithm
    readonly userinfo?: RegisteredAlgorithm
    readonly authorization?: RegisteredAlgorithm
  }
  readonly auth: ClientSecretPlace
  readonly redirectUri: string
  readonly scope?: string
  readonly authorizationDetails?: AuthorizationDetails
  /** Sends a code_challenge (RFC 7636). */
  readonly pkce: boolean
  /** The audience that the access token must name; absent when only the resource server cares. */
  readonly audience?: string
  /** The keys that verify the tokens of a server that publishes none. */
  readonly carriedKeys?: CarriedKeys
  /** RFC 8707 §2 `resource`. The client accepts this audience in place of `audience`. */
  readonly resourceIndicator?: string
  /** The protected resource to request at the end. Absent: none. */
  readonly resource?: string
  /** A token of the person: the flow obtains none first. */
  readonly accessToken?: string
  /** A refresh token of the person: the refresh flow shows no thief. */
  readonly refreshToken?: string
  /** A URI (RFC 8693 §3). Default: that of access tokens. */
  readonly subjectTokenType?: string
  /** The party that acts for the subject (RFC 8693 §2.1). */
  readonly actorToken?: string
  /** Default: that of access tokens. */
  readonly actorTokenType?: string
  /** The grant before the flow's own. Default: `code`. */
  readonly first?: 'code' | 'password'
  readonly assertion?: AssertionSource
  readonly authorizationParameters?: FormPairs
  /** Default of the hybrid flow: `code id_token`; of the implicit one: as the scope asks. */
  readonly responseType?: string
  readonly responseMode?: ResponseMode
  /** RFC 9126. */
  readonly push?: boolean
  /** RFC 9101. */
  readonly requestObject?: WantedRequestObject
  /** For wrong moves. */
  readonly makeRequestObject?: MakeObject
  /** Access tokens are for other parties (RFC 6749 §1.4): their failed checks are advice. */
  readonly foreignAccessTokens?: boolean
  /** Discards access tokens that are bound to no DPoP key (RFC 9449 §5). */
  readonly requiresDpop?: boolean
  /** Absent: the logout page is the end. */
  readonly postLogoutRedirectUri?: string
  /** Default: `GET`. */
  readonly logoutMethod?: 'GET' | 'POST'
  /** False for a logout request without an ID token. */
  readonly sendsHint?: boolean
  readonly logoutHint?: string
  /** Separated by spaces. */
  readonly logoutLocales?: string
  /** Absent: Bearer. */
  readonly tokenType?: 'mac'
  readonly backchannel?: BackchannelWish
  /** RFC 8693 §2.1 `audience`. */
  readonly exchangeFor?: string
}

/** True for a token that names no resource, or the server of the userinfo endpoint. */
export function isForUserinfo({
  metadata: { issuer, userinfo_endpoint: endpoint },
  resourceIndicator: named,
}: Pick<FlowOptions, 'metadata' | 'resourceIndicator'>): boolean {
  if (endpoint === undefined) return false
  if (named === undefined || sameResource(named, endpoint)) return true
  return issuer !== undefined && sameResource(named, issuer)
}

/** RFC 9396 §2. */
export function detailsParameters({
  authorizationDetails: details,
}: Pick<FlowOptions, 'authorizationDetails'>): FormPairs {
  return details === undefined ? [] : [['authorization_details', JSON.stringify(details)]]
}

/** The default of the hybrid flow. */
export const HYBRID_TYPE = 'code id_token'

/** OpenID Connect Core §3.1.2.1. */
export function asksForOpenId(scope: string | undefined): boolean {
  return scope !== undefined && (parseScope(scope)?.includes('openid') ?? false)
}

/** True for a flow that needs no login. */
export function beginsWithToken({
  accessToken,
  refreshToken,
}: Pick<FlowOptions, 'accessToken' | 'refreshToken'>): boolean {
  return accessToken !== undefined || refreshToken !== undefined
}
