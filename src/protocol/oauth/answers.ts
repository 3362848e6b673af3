import { isUrl } from '../http/address.js'
import type { Exchange } from '../http/exchange.js'
import { pairsIfForm } from '../http/form.js'
import { header, mediaType } from '../http/message.js'
import type { Citation } from '../rules/rule.js'
import { butBody, formOfBody } from '../second-reading.js'
import { defined, isJsonObject, type JsonObject, parsedJson, parsedObject } from '../values.js'
import { lacksChallenge } from './bearer.js'
import { type Check, check, shown } from './check.js'
import { OAuthError, receivedCode, type TokenErrorCode } from './oauth-error.js'

// The JSON answers of endpoints that clients call, and their errors.

/** The error for a response that cannot be read. Its outcome is `failed`, not `refused`. */
export class UnreadableAnswer extends OAuthError {
  override name = 'UnreadableAnswer'
}

const isText = (value: unknown): value is string => typeof value === 'string'

/**
 * Parses the JSON object of a response.
 * @throws OAuthError `invalid_response` for a wrong content type; UnreadableAnswer for a body that is not a JSON object
 */
export function jsonObject({ response }: Exchange, what: string, rule: Citation): Record<string, unknown> {
  if (response === undefined) {
    throw new UnreadableAnswer('no_response', { description: `${what} did not answer`, rule })
  }
  const type = mediaType(response)
  if (type !== 'application/json' && !type.endsWith('+json')) {
    const form = formOfBody(response.body)
    const other = /HTML|XML/.test(form ?? '') ? '' : butBody(form, 'JSON')
    const description = `${what} answered ${response.status} with ${type || 'no content type'}, not application/json${other}`
    throw new OAuthError('invalid_response', { description, rule })
  }
  const unreadable = (problem: string) =>
    new UnreadableAnswer('invalid_response', { description: `${what} answered ${problem}`, rule })
  const parsed = parsedJson(response.body)
  if (parsed === undefined) {
    const form = formOfBody(response.body)
    throw unreadable(form === undefined ? 'broken JSON' : `${form} under the content type of JSON`)
  }
  if (!isJsonObject(parsed)) throw unreadable('no JSON object')
  return parsed as Record<string, unknown>
}

/**
 * Returns the error in the response of a client endpoint (RFC 6749 §5.2).
 * @param what the name of the endpoint
 * @param rule the section about its errors
 * @returns the error that the server sent, or the problem of the response
 * @throws OAuthError, UnreadableAnswer when the response cannot be read
 */
export function refusalIn(
  exchange: Exchange,
  what = 'the token endpoint',
  rule: Citation = 'RFC 6749 §5.2',
): OAuthError {
  const { response } = exchange
  if (response !== undefined && response.status >= 300 && response.status < 400) {
    const description = `${what} answered a redirect (${response.status}); it is not followed`
    return new OAuthError('invalid_response', { description, rule: 'RFC 6749 §5.1' })
  }
  const { error, error_description: description, error_uri: uri } = jsonObject(exchange, what, rule)
  if (!isText(error)) {
    const missing = `${what} answered ${response?.status} without an error member`
    return new OAuthError('invalid_response', { description: missing, rule })
  }
  return new OAuthError(receivedCode(error), {
    description: isText(description) ? description : `${what} refused the request`,
    rule,
    uri: isText(uri) ? uri : undefined,
  })
}

const FORM = 'application/x-www-form-urlencoded'

/** Names of errors that large servers made up, as GitHub and Slack, and the names of the RFC. */
const MEANINGS: Readonly<Record<string, TokenErrorCode>> = {
  // GitHub
  bad_verification_code: 'invalid_grant',
  incorrect_client_credentials: 'invalid_client',
  incorrect_device_code: 'invalid_grant',
  redirect_uri_mismatch: 'invalid_grant',
  device_flow_disabled: 'unauthorized_client',
  // Slack
  bad_client_secret: 'invalid_client',
  bad_redirect_uri: 'invalid_grant',
  code_already_used: 'invalid_grant',
  invalid_client_id: 'invalid_client',
  invalid_code: 'invalid_grant',
  invalid_grant_type: 'unsupported_grant_type',
  invalid_refresh_token: 'invalid_grant',
}

/** Returns the name that RFC 6749 §5.2 has for an error; the name itself where it has no other one. */
export function meaningOf(error: string): string {
  return Object.hasOwn(MEANINGS, error) ? (MEANINGS[error] ?? error) : error
}

/** The members of a body in JSON or as a form; undefined for any other body. */
function membersOf({ response }: Exchange): JsonObject | undefined {
  if (response === undefined) return undefined
  if (mediaType(response) !== FORM) return parsedObject(response.body)
  const pairs = pairsIfForm(response.body)
  return pairs && Object.fromEntries(pairs)
}

/**
 * Returns the error in an answer with status 200. Servers such as GitHub and Slack answer their errors so, against RFC 6749
 * §5.2; others answer tokens as a form although the request asks for JSON. Undefined for every other answer.
 */
export function errorInSuccess(exchange: Exchange, what = 'the token endpoint'): OAuthError | undefined {
  const { response } = exchange
  if (response?.status !== 200) return undefined
  const isForm = mediaType(response) === FORM
  const members = membersOf(exchange)
  if (members === undefined) return undefined
  const { error, error_description: description, error_uri: uri, access_token: token, ok } = members
  if (isText(error) && (ok === false || !isText(token) || token === '')) {
    const said = isText(description) ? description : `${what} refused the request`
    const meaning = meaningOf(error)
    const named = meaning === error ? '' : `; RFC 6749 calls it ${meaning}`
    const form = isForm ? ' and as a form' : ''
    return new OAuthError(receivedCode(error), {
      description: `${said.replace(/\.$/, '')}${named}; answered with status 200${form}, where an error has 400 and JSON`,
      rule: 'RFC 6749 §5.2',
      uri: isText(uri) ? uri : undefined,
    })
  }
  if (!isForm) return undefined
  return new OAuthError('invalid_response', {
    description: `${what} answered ${FORM}, although the request asks for JSON by Accept; it holds ${Object.keys(members).slice(0, 8).join(', ')}`,
    rule: 'RFC 6749 §5.1',
    hints: [
      'check that nothing on the way removes the header Accept: application/json',
      'else report it to the people who run the server: a client reads a token response as JSON',
    ],
  })
}

/** Readers of single members of an answer. Each throws an OAuthError with the rule of the answer. */
interface Members {
  readonly members: Readonly<Record<string, unknown>>
  /** Reads a text that must be there, and not be empty. */
  text(name: string): string
  /** Reads a number of seconds as milliseconds; undefined where it is absent. */
  milliseconds(name: string): number | undefined
  /** The error for a member that breaks the rule. */
  invalid(description: string): OAuthError
}

/** Reads a number of seconds, which some servers write as text; undefined for anything else. */
export function secondsIn(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && /^\d{1,10}$/.test(value) ? Number(value) : value
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined
}

/** Reads an answer of status 200. @throws OAuthError with the broken rule, or with the error that the server sent */
export function successOf(exchange: Exchange, what: string, rule: Citation, errorRule?: Citation): Members {
  if (exchange.response?.status !== 200) throw refusalIn(exchange, what, errorRule)
  const refusal = errorInSuccess(exchange, what)
  if (refusal) throw refusal
  const members = jsonObject(exchange, what, rule)
  const invalid = (description: string) => new OAuthError('invalid_response', { description, rule })
  return {
    members,
    invalid,
    text(name) {
      const value = members[name]
      if (!isText(value) || value === '') throw invalid(`${name} is missing`)
      return value
    },
    milliseconds(name) {
      const value = members[name]
      if (value === undefined) return undefined
      const seconds = secondsIn(value)
      if (seconds !== undefined && seconds <= 86_400 * 365) return seconds * 1000
      throw invalid(`${name} is not a number of seconds`)
    },
  }
}

/** `grant_type` of the device authorization grant (RFC 8628 §3.4). */
export const DEVICE_GRANT_TYPE = 'urn:ietf:params:oauth:grant-type:device_code'

/** Default pause between two polls of a device or a backchannel request, in milliseconds (RFC 8628 §3.2, OpenID Connect CIBA Core §7.3). */
const DEFAULT_INTERVAL = 5000

/** A device authorization response (RFC 8628 §3.2), with times in milliseconds. */
export interface DeviceAuthorization {
  readonly deviceCode: string
  readonly userCode: string
  readonly verificationUri: string
  readonly verificationUriComplete?: string
  readonly expiresIn: number
  readonly interval: number
}

/**
 * Checks the response of the device authorization endpoint (RFC 8628 §3.2).
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function deviceAuthorizationResponse(exchange: Exchange): DeviceAuthorization {
  const what = 'the device authorization endpoint'
  const { members, text, milliseconds, invalid } = successOf(exchange, what, 'RFC 8628 §3.2')
  const address = (name: string): string => {
    const url = text(name)
    if (!/^https?:\/\//i.test(url) || !isUrl(url)) throw invalid(`${name} is not an address`)
    return url
  }
  const expiresIn = milliseconds('expires_in')
  if (expiresIn === undefined) throw invalid('expires_in is missing')
  return defined({
    deviceCode: text('device_code'),
    userCode: text('user_code'),
    verificationUri: address('verification_uri'),
    verificationUriComplete:
      members.verification_uri_complete === undefined ? undefined : address('verification_uri_complete'),
    expiresIn,
    interval: milliseconds('interval') ?? DEFAULT_INTERVAL,
  })
}

/** `grant_type` of a token request with an auth_req_id (OpenID Connect CIBA Core §10.1). */
export const CIBA_GRANT_TYPE = 'urn:openid:params:grant-type:ciba'

/** The acknowledgement of a backchannel authentication request (OpenID Connect CIBA Core §7.3), with times in milliseconds. */
export interface BackchannelAcknowledgement {
  readonly authReqId: string
  readonly expiresIn: number
  readonly interval: number
}

/**
 * Checks the answer of the backchannel authentication endpoint (OpenID Connect CIBA Core §7.3).
 * @throws OAuthError with the broken rule, or with the error that the server sent
 */
export function backchannelAcknowledgement(exchange: Exchange): BackchannelAcknowledgement {
  const { text, milliseconds, invalid } = successOf(
    exchange,
    'the backchannel authentication endpoint',
    'OpenID Connect CIBA Core §7.3',
    'OpenID Connect CIBA Core §13',
  )
  const expiresIn = milliseconds('expires_in')
  if (expiresIn === undefined) throw invalid('expires_in is missing')
  if (expiresIn === 0) throw invalid('expires_in is not positive')
  const authReqId = text('auth_req_id')
  return { authReqId, expiresIn, interval: milliseconds('interval') ?? DEFAULT_INTERVAL }
}

const USERINFO = 'OpenID Connect Core §5.3.2'

/**
 * Reads the claims of a userinfo response. Their subject is not compared with that of an id_token.
 * @throws OAuthError, UnreadableAnswer
 */
export function userinfoClaims(exchange: Exchange): JsonObject {
  const { response } = exchange
  if (response?.status === 200) return jsonObject(exchange, 'userinfo', USERINFO)
  const challenge = response && header(response, 'www-authenticate')
  const reason = lacksChallenge(exchange)
    ? ' without a WWW-Authenticate header, so it names no problem'
    : challenge === undefined
      ? ''
      : `: ${challenge}`
  const description = `userinfo answered ${response?.status}${reason}`
  throw new OAuthError('invalid_response', { description, rule: 'OpenID Connect Core §5.3.3' })
}

/**
 * Reads a userinfo response and compares its subject with the one that logged in (OpenID Connect Core §5.3.2).
 * @throws OAuthError, UnreadableAnswer
 */
export function readUserinfo(
  exchange: Exchange,
  subject: string | undefined,
): { readonly sub: string; readonly claims: JsonObject; readonly checks: readonly Check[] } {
  const claims = userinfoClaims(exchange)
  const { sub } = claims
  if (isText(sub) && sub === subject) return { sub, claims, checks: [check('sub', true, USERINFO, sub)] }
  const description = `userinfo is about ${shown(sub)}, the id_token about ${shown(subject)}`
  throw new OAuthError('subject_mismatch', { description, rule: USERINFO })
}
