import type { Exchange } from '../http/exchange.js'
import { FormError, parseForm } from '../http/form.js'
import { mediaType } from '../http/message.js'
import type { TokenErrorCode } from './error-codes.js'
import { receivedCode } from './error-codes.js'
import { isJsonObject, type JsonObject } from './json-object.js'
import { OAuthError } from './oauth-error.js'

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
  try {
    if (mediaType(response) === FORM) return Object.fromEntries(parseForm(response.body))
    const value: unknown = JSON.parse(response.body)
    return isJsonObject(value) ? value : undefined
  } catch (error) {
    if (error instanceof FormError || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The sentence about the status and the form of an error. */
function oddities(isForm: boolean, error: string): string {
  const meaning = meaningOf(error)
  const named = meaning === error ? '' : `; RFC 6749 calls it ${meaning}`
  const form = isForm ? ' and as a form' : ''
  return `${named}; answered with status 200${form}, where an error has 400 and JSON`
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
  const hasToken = typeof token === 'string' && token !== ''
  if (typeof error === 'string' && (ok === false || !hasToken)) {
    const said = typeof description === 'string' ? description : `${what} refused the request`
    return new OAuthError(receivedCode(error), {
      description: said.replace(/\.$/, '') + oddities(isForm, error),
      rule: 'RFC 6749 §5.2',
      uri: typeof uri === 'string' ? uri : undefined,
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
