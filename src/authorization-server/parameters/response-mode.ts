import { OAuthError } from '../../oauth/oauth-error.js'
import { mayHoldToken } from './response-type.js'

/** The ways of a response through the browser (OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode). */
const DELIVERIES = ['query', 'fragment', 'form_post'] as const
export type Delivery = (typeof DELIVERIES)[number]

/** The supported response modes, as the metadata lists them. With `jwt` the response travels as a JWT (JARM §2.3). */
export const RESPONSE_MODES = [...DELIVERIES, 'query.jwt', 'fragment.jwt', 'form_post.jwt', 'jwt'] as const

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

/** True for a response mode with a JWT. */
const isJwtMode = (mode: string) => mode === 'jwt' || mode.endsWith('.jwt')

const modesOf = ({ signs }: ModeRequest): readonly string[] =>
  signs ? RESPONSE_MODES : RESPONSE_MODES.filter(mode => !isJwtMode(mode))

/**
 * Returns the response mode of a response or error: the requested one if it is allowed, or else the default of the
 * response type. A client that asks for a JWT in a way that it may not have gets its error in a JWT too.
 */
export function responseModeOf(request: ModeRequest): ResponseMode {
  const { responseType, asked } = request
  const usual = mayHoldToken(responseType) ? 'fragment' : 'query'
  if (asked === undefined || !modesOf(request).includes(asked)) return { delivery: usual, jwt: false }
  const jwt = isJwtMode(asked)
  const named = asked.replace(/\.?jwt$/, '')
  const allowed = named !== '' && responseModeError(request) === undefined
  return { delivery: allowed ? (named as Delivery) : usual, jwt }
}

/** Returns the error for a response_mode; undefined for a valid or missing one. */
export function responseModeError(request: ModeRequest): OAuthError<'invalid_request'> | undefined {
  const { responseType, asked, encrypted } = request
  if (asked === undefined) return undefined
  const modes = modesOf(request)
  if (!modes.includes(asked)) {
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
