import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

/** The parts of the response to each response type: those that come through the browser. */
export interface ResponseParts {
  readonly code?: true
  readonly token?: true
  readonly idToken?: true
}

/**
 * The supported response types in the order of the metadata, with the values of each one sorted (RFC 6749 §3.1.1, OpenID
 * Connect Core §3, OAuth 2.0 Multiple Response Type Encoding Practices §3, §4, §5).
 */
const PARTS = {
  code: { code: true },
  token: { token: true },
  id_token: { idToken: true },
  'id_token token': { idToken: true, token: true },
  'code id_token': { code: true, idToken: true },
  'code token': { code: true, token: true },
  'code id_token token': { code: true, idToken: true, token: true },
  none: {},
} as const satisfies Readonly<Record<string, ResponseParts>>

/** A supported response type. */
export type ResponseType = keyof typeof PARTS

/** The supported response types, as the metadata lists them. */
export const RESPONSE_TYPES = Object.keys(PARTS) as [ResponseType, ...ResponseType[]]

/** Returns the parts of the response to a response type. */
export function partsOf(responseType: ResponseType): ResponseParts {
  return PARTS[responseType]
}

/** Returns the grant types that a client needs for a response type (RFC 7591 §2.1). None for `none`. */
export function grantTypesFor(responseType: ResponseType): ('authorization_code' | 'implicit')[] {
  const { code, token, idToken } = partsOf(responseType)
  return [
    ...(code ? ['authorization_code' as const] : []),
    ...(token || idToken ? ['implicit' as const] : []),
  ]
}

/** Sorts the values of a response_type, because their order has no meaning (RFC 6749 §3.1.1). */
const inOrder = (value: string) => value.split(' ').sort().join(' ')

/** Returns the supported response type that a value names; undefined for any other value. */
export function findResponseType(value: string | undefined): ResponseType | undefined {
  if (value === undefined) return undefined
  const wanted = inOrder(value)
  return RESPONSE_TYPES.find(each => each === wanted)
}

/**
 * Returns the error for a response_type that the server does not support.
 * @param value undefined when the parameter is missing
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

/** True when the response to a response_type, supported or not, may hold a token. A token must not go into a query. */
export function mayHoldToken(responseType: string | undefined): boolean {
  return responseType?.split(' ').some(word => word === 'token' || word === 'id_token') ?? false
}
