import {
  type Delivery,
  deliveryOf,
  isJwtMode,
  RESPONSE_MODES,
  type ResponseMode as ResponseModeName,
} from '../../../protocol/oauth/authorization-request.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'

/** The parts of the response to each response type: those that come through the browser. */
interface ResponseParts {
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
function mayHoldToken(responseType: string | undefined): boolean {
  return responseType?.split(' ').some(word => word === 'token' || word === 'id_token') ?? false
}

/** A response mode: the way of a response, and true when the response travels as a JWT. */
export interface ResponseMode {
  readonly delivery: Delivery
  readonly jwt: boolean
}

/** A request for a response mode, and what the mode depends on. */
export interface ModeRequest {
  readonly responseType: string | undefined
  readonly asked: string | undefined
  /** True for a server that signs by keys which it publishes. */
  readonly signs: boolean
  /** True for a client whose response JWTs are encrypted. */
  readonly encrypted: boolean
}

const modesOf = ({ signs }: ModeRequest): readonly ResponseModeName[] =>
  signs ? RESPONSE_MODES : RESPONSE_MODES.filter(mode => !isJwtMode(mode))

/**
 * Returns the response mode of a response or error: the requested one if it is allowed, or else the default of the
 * response type. A JWT always travels as it was asked for: an error holds no token, and the client reads it there.
 */
export function responseModeOf(request: ModeRequest): ResponseMode {
  const { responseType, asked } = request
  const usual = mayHoldToken(responseType) ? 'fragment' : 'query'
  const mode = modesOf(request).find(each => each === asked)
  const jwt = isJwtMode(mode)
  const asAsked = jwt || responseModeError(request) === undefined
  return { delivery: asAsked ? deliveryOf(mode, usual) : usual, jwt }
}

/** Returns the error for a response_mode; undefined for a valid or missing one. */
export function responseModeError(request: ModeRequest): OAuthError<'invalid_request'> | undefined {
  const { responseType, asked, encrypted } = request
  if (asked === undefined) return undefined
  const modes = modesOf(request)
  if (!modes.some(each => each === asked)) {
    return new OAuthError('invalid_request', {
      description: `response_mode is not supported; this server knows: ${modes.join(', ')}`,
      rule: 'OAuth 2.0 Multiple Response Type Encoding Practices §2.1',
      evidence: asked,
    })
  }
  if (!mayHoldToken(responseType)) return undefined
  if (asked === 'query') {
    return new OAuthError('invalid_request', {
      description: 'response_mode query is not for tokens: a query ends up in logs and histories',
      rule: 'OAuth 2.0 Multiple Response Type Encoding Practices §3.0',
    })
  }
  if (asked === 'query.jwt' && !encrypted) {
    return new OAuthError('invalid_request', {
      description:
        'response_mode query.jwt is not for tokens unless the response is encrypted: a query ends up in logs and histories',
      rule: 'JARM §2.3.1',
    })
  }
  return undefined
}
