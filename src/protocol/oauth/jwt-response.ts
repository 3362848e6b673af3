import { encodeForm, type FormPairs } from '../http/form.js'
import { type AuthorizationRequest, answerPairs, answerTo, deliveryTo } from './authorization.js'
import { isJsonObject, type JsonObject } from './json-object.js'
import { OAuthError } from './oauth-error.js'

/** Claims of a response JWT that are no parameters of the response (JARM §2.1, RFC 7519 §4.1). */
const NO_PARAMETERS = new Set(['aud', 'exp', 'iat', 'nbf', 'jti', 'sub'])

/**
 * Reads the JWT of a response (JARM §2.3). Parameters beside it are ignored: nobody signed them.
 * @param landed the URL that the user agent was redirected to
 * @throws OAuthError for a response that is no JWT
 */
export function responseJwt(landed: string, request: AuthorizationRequest): string {
  const form = answerTo(request, landed)
  const {
    response,
    error,
    error_description: why,
  } = answerPairs(form, ['response', 'error', 'error_description'])
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
  try {
    const claims: unknown = JSON.parse(Buffer.from(parts[1] ?? '', 'base64url').toString())
    return isJsonObject(claims) ? claims : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
