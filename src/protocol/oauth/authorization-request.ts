import { encodeForm, type FormPairs } from '../http/form.js'
import { codeChallenge } from './pkce.js'

/** The ways of a response through the browser (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode). */
const DELIVERIES = ['query', 'fragment', 'form_post'] as const
export type Delivery = (typeof DELIVERIES)[number]

/** The known values of response_mode. With `jwt` the response travels as a JWT (JARM §2.3). */
export const RESPONSE_MODES = [...DELIVERIES, 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt'] as const
export type ResponseMode = (typeof RESPONSE_MODES)[number]

/** True for a response mode whose response is a JWT. */
export function isJwtMode(mode: string | undefined): boolean {
  return mode !== undefined && /(^|\.)jwt$/.test(mode)
}

/**
 * Returns the way of a response.
 * @param usual the way of its response type, for a request without a response mode and for `jwt` (JARM §2.3.4)
 */
export function deliveryOf(mode: ResponseMode | undefined, usual: Delivery): Delivery {
  return DELIVERIES.find(each => mode === each || mode === `${each}.jwt`) ?? usual
}

/** Returns the way that the response to a request travels. The default of a type with a token is the fragment. */
export function deliveryTo({ responseType, responseMode }: AuthorizationRequestOptions): Delivery {
  return deliveryOf(responseMode, responseType === 'code' || responseType === 'none' ? 'query' : 'fragment')
}

/** The parameters of an authorization request that this server reads. All others are ignored (RFC 6749 §3.1). */
export const AUTHORIZATION_PARAMETERS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
] as const

/** The parameters of an authorization request. */
export interface AuthorizationRequestOptions {
  /** URL of the authorization endpoint. Its query is kept. */
  readonly endpoint: string
  /** Absent where it is not known: `iss` in the answer is then compared with nothing. */
  readonly issuer?: string
  readonly responseType: string
  /** The way the response is to travel. Absent: the default of the response type. */
  readonly responseMode?: ResponseMode
  readonly clientId: string
  readonly redirectUri: string
  readonly scope?: string
  /** Absent only in a client that is weak on purpose. */
  readonly state?: string
  readonly nonce?: string
  /** Absent: no PKCE. */
  readonly codeVerifier?: string
  /** True when the server's metadata promises `iss` in the response (RFC 9207 §3). */
  readonly issPromised: boolean
  /** Further parameters, none of the above. */
  readonly extra?: FormPairs
  /** The request object that the parameters are sent in (RFC 9101 §5). */
  readonly object?: string
}

/** The client's copy of an authorization request, kept until the response arrives. */
export interface AuthorizationRequest extends AuthorizationRequestOptions {
  /** The address to send the user agent to. */
  readonly url: string
}

/** Returns the parameters of an authorization request (RFC 6749 §4.1.1, RFC 7636 §4.3). */
export function requestParameters(options: AuthorizationRequestOptions): FormPairs {
  const { codeVerifier, extra = [] } = options
  const pairs = [
    ['response_type', options.responseType],
    ['response_mode', options.responseMode],
    ['client_id', options.clientId],
    ['redirect_uri', options.redirectUri],
    ['scope', options.scope],
    ['state', options.state],
    ['nonce', options.nonce],
    ['code_challenge', codeVerifier && codeChallenge(codeVerifier)],
    ['code_challenge_method', codeVerifier && 'S256'],
    ...extra,
  ] as const
  return pairs.flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]))
}

/**
 * Returns the parameters as they are sent. Beside a request object stand client_id, and in a browser what OpenID Connect asks
 * for (Core §6.1): response_type and scope. A pushed object stands alone (RFC 9126 §3).
 */
export function sentParameters(
  request: AuthorizationRequestOptions,
  channel: 'browser' | 'pushed',
): FormPairs {
  const { object, scope } = request
  const pairs = requestParameters(request)
  if (object === undefined) return pairs
  const login = channel === 'browser' && scope?.split(' ').includes('openid')
  const beside = login ? ['response_type', 'client_id', 'scope'] : ['client_id']
  return [...pairs.filter(([name]) => beside.includes(name)), ['request', object]]
}

/** Returns a request at the address that its endpoint has with these parameters. */
function requestWith(options: AuthorizationRequestOptions, pairs: FormPairs): AuthorizationRequest {
  const { endpoint } = options
  return { ...options, url: `${endpoint}${endpoint.includes('?') ? '&' : '?'}${encodeForm(pairs)}` }
}

/** Builds an authorization request. */
export function authorizationRequest(options: AuthorizationRequestOptions): AuthorizationRequest {
  return requestWith(options, requestParameters(options))
}

/** The media type of a request object without `application/`, for `typ` (RFC 9101 §10.8). */
export const REQUEST_OBJECT_TYPE = 'oauth-authz-req+jwt'

/** Claims of a JWT that are no parameters of the authorization request (RFC 7519 §4.1). */
export const JWT_CLAIMS: readonly string[] = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/** Puts a request object in place of the parameters of a request. */
export function withObject(request: AuthorizationRequest, object: string): AuthorizationRequest {
  const made = { ...request, object }
  return requestWith(made, sentParameters(made, 'browser'))
}

/** Builds the request for a pushed request: its URL contains only client_id and request_uri (RFC 9126 §4). */
export function pushedRequest(request: AuthorizationRequest, requestUri: string): AuthorizationRequest {
  return requestWith(request, [
    ['client_id', request.clientId],
    ['request_uri', requestUri],
  ])
}
