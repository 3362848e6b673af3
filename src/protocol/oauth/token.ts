import type { Exchange } from '../http/exchange.js'
import { encodeForm } from '../http/form.js'
import { bytes, type HttpRequest, header, mediaType } from '../http/message.js'
import { otherLifetime } from '../second-reading.js'
import { defined, isJsonObject } from '../values.js'
import { secondsIn, successOf } from './answers.js'
import { type AuthorizationDetails, readAuthorizationDetails } from './authorization-details.js'
import { advice, type Check, check } from './check.js'
import { basicHeader } from './client-auth.js'
import { isMacAlgorithm, MAC_DRAFT, type MacAlgorithm } from './mac.js'
import { OAuthError } from './oauth-error.js'

/** The place of a client's secret in a request: the header, the body, or none. */
export type ClientSecretPlace = 'client_secret_basic' | 'client_secret_post' | 'none'

/** The options of every request with the client's credentials. */
export interface ClientRequestOptions {
  readonly endpoint: string
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
  /** Parameters in order. Undefined values are left out. */
  readonly parameters: ReadonlyArray<readonly [name: string, value: string | undefined]>
}

/** The options of every token request. */
export interface TokenRequestOptions extends ClientRequestOptions {
  readonly grantType: string
}

/** Builds a token request (RFC 6749 §4.1.3). */
export function tokenRequest({ grantType, ...options }: TokenRequestOptions): HttpRequest {
  return clientRequest({ ...options, parameters: [['grant_type', grantType], ...options.parameters] })
}

/** Builds a form request with the client's credentials (RFC 6749 §2.3.1). */
export function clientRequest(options: ClientRequestOptions): HttpRequest {
  const { auth, clientId, clientSecret = '' } = options
  const body = encodeForm([
    ...options.parameters,
    ['client_id', auth === 'client_secret_basic' ? undefined : clientId],
    ['client_secret', auth === 'client_secret_post' ? clientSecret : undefined],
  ])
  return {
    method: 'POST',
    url: options.endpoint,
    headers: [
      ['accept', 'application/json'],
      ['content-type', 'application/x-www-form-urlencoded'],
      ...(auth === 'client_secret_basic' ? [basicHeader(clientId, clientSecret)] : []),
    ],
    body: bytes(body),
  }
}

/** A successful token response (RFC 6749 §5.1), with wire names. */
export interface TokenResponse {
  readonly access_token: string
  readonly token_type: string
  readonly expires_in?: number
  readonly refresh_token?: string
  readonly scope?: string
  readonly id_token?: string
  /** The authorization details of the access token (RFC 9396 §7). */
  readonly authorization_details?: AuthorizationDetails
  /** The key of a token of type `mac`. */
  readonly mac_key?: string
  readonly mac_algorithm?: MacAlgorithm
}

/** Names that large servers give to Bearer tokens. Slack names who holds the token, and takes it as Bearer. */
const BEARER_NAMES: Readonly<Record<string, string>> = { bot: 'Slack', user: 'Slack' }

const UNKNOWN_LIFETIME = 'missing: the client cannot know how long the token lives'

/**
 * Checks the response of a token endpoint (RFC 6749 §5.1, §5.2).
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function tokenResponse(exchange: Exchange): { tokens: TokenResponse; checks: readonly Check[] } {
  const rule = 'RFC 6749 §5.1'
  const { members, invalid } = successOf(exchange, 'the token endpoint', rule)
  const response = exchange.response!
  const optional = (name: string): string | undefined => {
    const value = members[name]
    if (value !== undefined && typeof value !== 'string') throw invalid(`${name} is not a string`)
    return value
  }
  const accessToken = optional('access_token')
  const tokenType = optional('token_type')
  if (!accessToken) {
    const { authed_user: person } = members
    const elsewhere = isJsonObject(person) && 'access_token' in person
    throw invalid(
      `access_token is missing${elsewhere ? ', and stands in authed_user: ask Slack for scope, not only for user_scope' : ''}`,
    )
  }
  // Appendix A.12. A line break would end the header that the token is sent in.
  if (!/^[\x20-\x7e]+$/.test(accessToken)) throw invalid('access_token has characters that no token may have')
  if (!tokenType) throw invalid('token_type is missing')
  const { expires_in: lifetime } = members
  const expiresIn = secondsIn(lifetime)
  if (lifetime !== undefined && expiresIn === undefined)
    throw invalid('expires_in is not a number of seconds')
  const unit = expiresIn === undefined ? undefined : otherLifetime(expiresIn)
  const refreshToken = optional('refresh_token')
  const scope = optional('scope')
  const idToken = optional('id_token')
  const { authorization_details: sent } = members
  const read = sent === undefined ? undefined : readAuthorizationDetails(sent)
  if (read !== undefined && 'problem' in read)
    throw invalid(`authorization_details is refused: ${read.problem}`)
  const proved = header(exchange.request, 'dpop') !== undefined
  const bound = proved && tokenType.toLowerCase() === 'dpop'
  const wantsMac = /(^|&)token_type=mac(&|$)/.test(exchange.request.body)
  const mac = wantsMac ? macKey(members, tokenType) : undefined
  const namedBy = Object.hasOwn(BEARER_NAMES, tokenType) ? BEARER_NAMES[tokenType] : undefined
  if (!bound && !mac && namedBy === undefined && tokenType.toLowerCase() !== 'bearer') {
    throw invalid(`token_type is ${tokenType}; this client knows Bearer${proved ? ' and DPoP' : ''}`)
  }
  const noStore = response.headers.some(
    ([name, value]) => name.toLowerCase() === 'cache-control' && /\bno-store\b/i.test(value),
  )
  const stored = noStore ? 'the answer may not be cached' : 'Cache-Control: no-store is missing'
  const tokens = defined({
    access_token: accessToken,
    token_type: tokenType,
    expires_in: expiresIn,
    refresh_token: refreshToken,
    scope,
    id_token: idToken,
    authorization_details: read?.details,
  })
  return {
    tokens: { ...tokens, ...mac },
    checks: [
      check('status', true, rule, '200'),
      check('content_type', true, rule, mediaType(response)),
      proved
        ? advice('token_type', bound, 'RFC 9449 §5', bound ? tokenType : `${tokenType}: not bound to the key`)
        : bearerCheck(tokenType, namedBy),
      ...(mac ? [check('mac_key', true, `${MAC_DRAFT} §5.1`, mac.mac_algorithm)] : []),
      advice('no_store', noStore, rule, stored),
      ...(expiresIn === undefined ? [advice('expires_in', false, rule, UNKNOWN_LIFETIME)] : []),
      ...(typeof lifetime === 'string'
        ? [advice('expires_in', false, rule, `“${lifetime}” is a text; it is a number in JSON`)]
        : []),
      ...(unit === undefined ? [] : [advice('expires_in', false, rule, `${lifetime}: ${unit}`)]),
    ],
  }
}

/** The check of a Bearer token's type, by the RFC's name or by that of one server. */
function bearerCheck(tokenType: string, namedBy: string | undefined): Check {
  const rule = 'RFC 6749 §7.1'
  if (namedBy === undefined) return check('token_type', true, rule, tokenType)
  const detail = `${tokenType}: ${namedBy}’s name; RFC 6750 §4 calls it Bearer, and other clients refuse it`
  return advice('token_type', false, rule, detail)
}

/**
 * Returns the key of a token of type `mac` (MAC draft §5.1).
 * @throws OAuthError for another token type, and for a missing key or an unknown algorithm
 */
function macKey(
  { mac_key: key, mac_algorithm: algorithm }: Readonly<Record<string, unknown>>,
  tokenType: string,
): Required<Pick<TokenResponse, 'mac_key' | 'mac_algorithm'>> {
  const rule = `${MAC_DRAFT} §5.1`
  if (tokenType.toLowerCase() !== 'mac') {
    const description = `asked was a token of type mac, issued was ${tokenType}: this server does not know the MAC draft`
    throw new OAuthError('unsupported_token_type', { description, rule })
  }
  if (typeof key !== 'string' || key === '' || !isMacAlgorithm(algorithm)) {
    const description = 'a token of type mac came without mac_key, or with an unknown mac_algorithm'
    throw new OAuthError('invalid_response', { description, rule })
  }
  return { mac_key: key, mac_algorithm: algorithm }
}
