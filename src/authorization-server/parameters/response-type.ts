import { OAuthError } from '../../oauth/oauth-error.js'

/** The supported response types, as the metadata names them (RFC 6749 §3.1.1, OpenID Connect Core §3). */
export const RESPONSE_TYPES = ['code', 'token', 'id_token', 'id_token token'] as const

/** A response type this server knows. */
export type ResponseType = (typeof RESPONSE_TYPES)[number]

/** The places for the parameters of an answer, as the metadata names them. */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const

/** How an answer travels (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode). */
export type ResponseMode = (typeof RESPONSE_MODES)[number]

/** The words of a response_type in one order, since theirs means nothing (RFC 6749 §3.1.1). */
const inOrder = (value: string) => value.split(' ').sort().join(' ')

/** The response type a value stands for; undefined for one the server does not know. */
export function findResponseType(value: string | undefined): ResponseType | undefined {
  if (value === undefined) return undefined
  const wanted = inOrder(value)
  return RESPONSE_TYPES.find(each => each === wanted)
}

/**
 * The error of a response_type that the server does not know.
 * @param value undefined: it is missing
 */
export function responseTypeError(
  value: string | undefined,
): OAuthError<'invalid_request' | 'unsupported_response_type'> {
  const rule = 'RFC 6749 §3.1.1'
  if (value === undefined) {
    return new OAuthError('invalid_request', { description: 'response_type is missing', rule })
  }
  return new OAuthError('unsupported_response_type', {
    description: `response_type is not supported; this server knows: ${RESPONSE_TYPES.join(', ')}`,
    rule,
    evidence: value,
  })
}

/** True when the answer to a response_type, known or not, may hold a token, and so stays out of queries. */
function mayHoldToken(responseType: string | undefined): boolean {
  return responseType?.split(' ').some(word => word === 'token' || word === 'id_token') ?? false
}

/**
 * How an answer travels, errors included: as asked where that is allowed, else as the response type does by itself.
 * @param asked the response_mode of the request
 */
export function responseModeOf(responseType: string | undefined, asked: string | undefined): ResponseMode {
  const usual = mayHoldToken(responseType) ? 'fragment' : 'query'
  return responseModeError(responseType, asked) ? usual : ((asked ?? usual) as ResponseMode)
}

/** The error of a response_mode; undefined for a valid one. */
export function responseModeError(
  responseType: string | undefined,
  asked: string | undefined,
): OAuthError<'invalid_request'> | undefined {
  const rule = 'OAuth 2.0 Multiple Response Type Encoding Practices §2.1'
  if (asked === undefined) return undefined
  if (!RESPONSE_MODES.some(each => each === asked)) {
    return new OAuthError('invalid_request', {
      description: `response_mode is not supported; this server knows: ${RESPONSE_MODES.join(', ')}`,
      rule,
      evidence: asked,
    })
  }
  if (asked === 'query' && mayHoldToken(responseType)) {
    return new OAuthError('invalid_request', {
      description: 'response_mode query is not for tokens: a query ends up in logs and histories',
      rule: 'OAuth 2.0 Multiple Response Type Encoding Practices §3.0',
    })
  }
  return undefined
}
