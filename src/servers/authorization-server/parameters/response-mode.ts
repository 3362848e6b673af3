import {
  type Delivery,
  deliveryOf,
  isJwtMode,
  RESPONSE_MODES,
  type ResponseMode as ResponseModeName,
} from '../../../protocol/oauth/authorization-request.js'
import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import { mayHoldToken } from './response-type.js'

/** A response mode: the way of a response, and true when the response travels as a JWT. */
export interface ResponseMode {
  readonly delivery: Delivery
  readonly jwt: boolean
}

/** A request for a response mode, and what the mode depends on. */
export interface ModeRequest {
  readonly responseType: string | undefined
  /** The response_mode of the request. */
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
