import {
  encodeForm,
  FormError,
  type FormPairs,
  type Parameters,
  parseForm,
  readPairs,
  readParameters,
} from '../http/form.js'
import { splitUrl } from '../http/message.js'
import { but, butReadAgain, otherIssuer } from '../second-reading.js'
import { defined, type JsonObject, parsedObject } from '../values.js'
import { type AuthorizationRequest, deliveryTo } from './authorization-request.js'
import { advice, type Check, check, NO_ISSUER } from './check.js'
import { OAuthError, receivedCode } from './oauth-error.js'
import type { TokenResponse } from './token.js'

/** Parameters that only authorization responses have. */
const ANSWERS = new Set(['code', 'access_token', 'id_token', 'error', 'state', 'response'])

/** The parts of the redirect_uri that may hold an authorization response. */
const places = {
  query: {
    other: 'fragment',
    rule: 'RFC 6749 §4.1.2',
    why: 'the answer is in the fragment of the address, behind the #; a code belongs in the query',
  },
  fragment: {
    other: 'query',
    rule: 'RFC 6749 §4.2.2',
    why: 'the answer is in the query of the address, which servers log; a token belongs in the fragment, behind the #',
  },
} as const

/** Returns the text after the `#` of a URL, byte for byte; empty without a `#`. */
export function fragmentOf(url: string): string {
  const mark = url.indexOf('#')
  return mark < 0 ? '' : url.slice(mark + 1)
}

/**
 * Returns the part of an address that an authorization response belongs in.
 * @throws OAuthError `invalid_response` when this part is no response, and the other part is one
 */
export function answerIn(landed: string, place: keyof typeof places): string {
  const parts = { query: splitUrl(landed).query, fragment: fragmentOf(landed) }
  const { other, rule, why } = places[place]
  const holdsAnswer = (form: string) => readPairs(form).some(([name]) => ANSWERS.has(name))
  if (holdsAnswer(parts[place]) || !holdsAnswer(parts[other])) return parts[place]
  const error = readPairs(parts[other]).find(([name]) => name === 'error')?.[1]
  const said = error === undefined ? '' : `; it reports ${error}`
  throw new OAuthError('invalid_response', { description: `${why}${said}`, rule })
}

/** Returns the part of an address that the response to a request is in. A form is in the query of its address. */
function answerTo(request: AuthorizationRequest, landed: string): string {
  return answerIn(landed, deliveryTo(request) === 'fragment' ? 'fragment' : 'query')
}

/** Reads parameters of an answer, once each. @throws OAuthError */
function answerPairs<Name extends string>(form: string, names: readonly Name[]): Parameters<Name>['values'] {
  const { values, repeated } = decodeAnswer(form, names)
  if (repeated.length === 0) return values
  const description = `the parameter ${repeated[0]} is repeated`
  throw new OAuthError('invalid_response', { description, rule: 'RFC 6749 §3.1' })
}

function decodeAnswer<Name extends string>(form: string, names: readonly Name[]): Parameters<Name> {
  try {
    return readParameters(parseForm(form), names)
  } catch (error) {
    if (!(error instanceof FormError)) throw error
    const description = `the answer cannot be decoded: ${error.message}`
    throw new OAuthError('invalid_response', { description, rule: 'RFC 6749 §4.1.2' })
  }
}

/** Parameters that the response to any response type may have. */
const COMMON_PARAMETERS = ['state', 'iss', 'error', 'error_description', 'error_uri', 'scope'] as const
type CommonParameter = (typeof COMMON_PARAMETERS)[number]

/**
 * Reads an authorization response. State and iss are checked before all other parameters (RFC 6749 §4.1.2, §10.12;
 * RFC 9207 §2.4).
 * @param form the query or the fragment of the redirect
 * @param names the parameters of this response type
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
function readAnswer<Name extends string>(
  form: string,
  names: readonly Name[],
  request: AuthorizationRequest,
): { readonly values: Parameters<Name | CommonParameter>['values']; readonly checks: readonly Check[] } {
  const values = answerPairs(form, [...names, ...COMMON_PARAMETERS])
  const common: Parameters<CommonParameter>['values'] = values
  const checks: Check[] = []
  const stateRule = 'RFC 6749 §10.12'
  if (common.state !== request.state) {
    throw new OAuthError('state_mismatch', {
      description:
        common.state === undefined
          ? 'the answer has no state'
          : `the answer has another state${butReadAgain('state', common.state, each => each === request.state)}`,
      rule: stateRule,
      evidence: `sent ${request.state ?? 'none'}, got ${common.state ?? 'none'}`,
    })
  }
  checks.push(check('state', true, stateRule, 'the value that was sent'))
  const issRule = 'RFC 9207 §2.4'
  const answered: Readonly<Record<string, string | undefined>> = values
  if (common.iss === undefined && request.issPromised && answered.id_token !== undefined) {
    // The client verifies the iss of the id_token later, which is the same protection.
    checks.push(check('iss', true, 'RFC 9207 §4', 'left out: the id_token names the issuer'))
  } else if (common.iss !== undefined && request.issuer === undefined) {
    checks.push(advice('iss', false, issRule, `${common.iss}; ${NO_ISSUER}`))
  } else if (common.iss !== undefined || request.issPromised) {
    if (common.iss === undefined || common.iss !== request.issuer) {
      throw new OAuthError('issuer_mismatch', {
        description:
          common.iss === undefined
            ? 'the server promises iss in its metadata, and the answer has none'
            : `the answer names another issuer${but(otherIssuer(common.iss, request.issuer ?? ''))}`,
        rule: issRule,
        evidence: `expected ${request.issuer}, got ${common.iss ?? 'none'}`,
      })
    }
    checks.push(check('iss', true, issRule, common.iss))
  }
  if (common.error !== undefined) {
    throw new OAuthError(receivedCode(common.error), {
      description: common.error_description ?? 'the authorization server refused the request',
      rule: 'RFC 6749 §4.1.2.1',
      uri: common.error_uri,
    })
  }
  return { values, checks }
}

/**
 * Checks the response of the code grant (RFC 6749 §4.1.2).
 * @param landed the URL that the user agent was redirected to
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function authorizationResponse(
  landed: string,
  request: AuthorizationRequest,
): { readonly code: string; readonly checks: readonly Check[] } {
  const { values, checks } = readAnswer(answerTo(request, landed), ['code'], request)
  if (values.code !== undefined) return { code: values.code, checks }
  const description = 'the answer has neither code nor error'
  throw new OAuthError('invalid_response', { description, rule: 'RFC 6749 §4.1.2' })
}

/** The parameters of a response with tokens that come through the browser. */
const BROWSER_NAMES = [
  'access_token',
  'token_type',
  'expires_in',
  'id_token',
  'refresh_token',
  'code',
] as const

/** Tokens that came through the browser. */
interface BrowserTokens {
  readonly tokens: TokenResponse
  readonly checks: readonly Check[]
}

const FRAGMENT = 'RFC 6749 §4.2.2'

/**
 * Reads the access token of an authorization response, with the id_token beside it (RFC 6749 §4.2.2).
 * @throws OAuthError for a missing or unknown token, and for a refresh token, which may not come through the browser
 */
function browserTokens(
  values: Parameters<(typeof BROWSER_NAMES)[number] | 'scope'>['values'],
): BrowserTokens {
  const invalid = (description: string) => new OAuthError('invalid_response', { description, rule: FRAGMENT })
  const { access_token, token_type, expires_in: seconds, scope, id_token } = values
  if (access_token === undefined) throw invalid('the answer has neither access_token nor error')
  if (token_type === undefined) throw invalid('token_type is missing')
  if (token_type.toLowerCase() !== 'bearer')
    throw invalid(`token_type is ${token_type}; this client knows Bearer`)
  if (seconds !== undefined && !/^\d{1,10}$/.test(seconds)) {
    throw invalid('expires_in is not a number of seconds')
  }
  if (values.refresh_token !== undefined) throw invalid('a refresh_token may not come through the browser')
  const expires_in = seconds === undefined ? undefined : Number(seconds)
  const tokens = defined({ access_token, token_type, expires_in, scope, id_token })
  return { tokens, checks: [check('token_type', true, 'RFC 6749 §7.1', token_type)] }
}

/** Returns the check of an answer in the fragment; none for an answer elsewhere. */
function fragmentChecks(request: AuthorizationRequest): readonly Check[] {
  const inFragment = deliveryTo(request) === 'fragment'
  return inFragment ? [check('fragment', true, FRAGMENT, 'behind the #, so that no server saw it')] : []
}

/** An implicit response that passed its checks. */
export interface ImplicitResponse {
  /** Absent for the response type `id_token`. */
  readonly tokens?: TokenResponse
  /** Absent for the response type `token`. It is not verified yet. */
  readonly idToken?: string
  readonly checks: readonly Check[]
}

/**
 * Checks the response of the implicit grant, which is in the fragment (RFC 6749 §4.2.2, OpenID Connect Core §3.2.2.5) or in
 * a form.
 * @param landed the URL that the user agent was redirected to, with its fragment
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function implicitResponse(landed: string, request: AuthorizationRequest): ImplicitResponse {
  const asked = request.responseType.split(' ')
  const { values, checks } = readAnswer(answerTo(request, landed), BROWSER_NAMES, request)
  const { tokens, checks: more } = asked.includes('token') ? browserTokens(values) : { checks: [] }
  const idToken = values.id_token
  if (asked.includes('id_token') && idToken === undefined) {
    const description = 'the answer has no id_token'
    throw new OAuthError('invalid_response', { description, rule: 'OpenID Connect Core §3.2.2.5' })
  }
  return defined({ tokens, idToken, checks: [...checks, ...fragmentChecks(request), ...more] })
}

/** A hybrid response that passed its checks. */
export interface HybridResponse {
  readonly code: string
  /** The access token beside the code, for the types with `token`. */
  readonly tokens?: TokenResponse
  /** The id_token beside the code, for the types with `id_token`. It is not verified yet. */
  readonly idToken?: string
  readonly checks: readonly Check[]
}

/**
 * Checks a hybrid response: a code, with an access token or an id_token or both beside it (OpenID Connect Core §3.3.2.5).
 * @param landed the URL that the user agent was redirected to, with its fragment
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function hybridResponse(landed: string, request: AuthorizationRequest): HybridResponse {
  const missing = (name: string) => {
    const rule = 'OpenID Connect Core §3.3.2.5'
    return new OAuthError('invalid_response', { description: `the answer has no ${name}`, rule })
  }
  const asked = request.responseType.split(' ')
  const { values, checks } = readAnswer(answerTo(request, landed), BROWSER_NAMES, request)
  const { code, id_token: idToken } = values
  if (code === undefined) throw missing('code')
  if (asked.includes('id_token') && idToken === undefined) throw missing('id_token')
  const answer = defined({ code, checks: [...checks, ...fragmentChecks(request)], idToken })
  if (!asked.includes('token')) return answer
  const { tokens, checks: more } = browserTokens(values)
  return { ...answer, tokens, checks: [...answer.checks, ...more] }
}

/** Claims of a response JWT that are no parameters of the response (JARM §2.1, RFC 7519 §4.1). */
const NO_PARAMETERS = new Set(['aud', 'exp', 'iat', 'nbf', 'jti', 'sub'])

/**
 * Reads the JWT of a response (JARM §2.3). Parameters beside it are ignored: nobody signed them.
 * @param landed the URL that the user agent was redirected to
 * @throws OAuthError for a response that is no JWT
 */
export function responseJwt(landed: string, request: AuthorizationRequest): string {
  const names = ['response', 'error', 'error_description'] as const
  const { response, error, error_description: why } = answerPairs(answerTo(request, landed), names)
  if (response !== undefined) return response
  const asked = `the request asked for response_mode ${request.responseMode}, and the answer is no JWT`
  const because = why === undefined ? '' : ` (${why})`
  const said = error === undefined ? '' : `; it reports ${error}${because}`
  throw new OAuthError('invalid_response', { description: `${asked}${said}`, rule: 'JARM §2.3' })
}

/**
 * Returns the claims of a response JWT as they are written, for a page in the browser: nothing in them is verified. Returns
 * `encrypted` for a JWE, and undefined for a text that is no JWT.
 */
export function peekedClaims(jwt: string): JsonObject | 'encrypted' | undefined {
  const parts = jwt.split('.', 6)
  if (parts.length === 5) return 'encrypted'
  return parsedObject(Buffer.from(parts[1] ?? '', 'base64url').toString())
}

/** Returns the parameters of a response that came as a JWT. */
export function landedPairs(claims: JsonObject): FormPairs {
  return Object.entries(claims).flatMap(([name, value]) => {
    const isText = typeof value === 'string' || typeof value === 'number'
    return isText && !NO_PARAMETERS.has(name) ? [[name, String(value)] as const] : []
  })
}

/** Returns the address at which a response would have arrived without its JWT, with the parameters of the JWT. */
export function landedWithout(claims: JsonObject, request: AuthorizationRequest): string {
  const { redirectUri } = request
  const mark = deliveryTo(request) === 'fragment' ? '#' : redirectUri.includes('?') ? '&' : '?'
  return `${redirectUri}${mark}${encodeForm(landedPairs(claims))}`
}
