import type { OAuthErrorCode } from '../../oauth/error-codes.js'

/** A server that is down or out of order (RFC 6749 §4.1.2.1). */
const OUTAGES = ['server_error', 'temporarily_unavailable'] as const

/** Errors of the token endpoint that every client endpoint knows (RFC 6749 §5.2). */
const CLIENT_ERRORS = ['invalid_request', 'invalid_client', ...OUTAGES] as const

/** Endpoints that can be made to fail, and the errors they then answer. */
export const FAULTS = {
  authorization: [
    'access_denied',
    'invalid_request',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_response_type',
    'login_required',
    'interaction_required',
    'consent_required',
    ...OUTAGES,
  ],
  token: [
    ...CLIENT_ERRORS,
    'invalid_grant',
    'invalid_scope',
    'unauthorized_client',
    'unsupported_grant_type',
  ],
  userinfo: ['invalid_request', 'invalid_token', 'insufficient_scope', ...OUTAGES],
  revocation: [...CLIENT_ERRORS, 'unsupported_token_type'],
  introspection: CLIENT_ERRORS,
  par: [...CLIENT_ERRORS, 'invalid_scope', 'unauthorized_client'],
  device_authorization: [...CLIENT_ERRORS, 'invalid_scope', 'unauthorized_client'],
  discovery: OUTAGES,
  jwks: OUTAGES,
} as const satisfies Readonly<Record<string, readonly OAuthErrorCode[]>>

/** An endpoint that can be made to fail. */
export type FaultEndpoint = keyof typeof FAULTS

/** An error that some endpoint can be made to answer. */
export type FaultError = (typeof FAULTS)[FaultEndpoint][number]

/** True when this endpoint can be made to answer the error. */
export function isFaultOf(endpoint: FaultEndpoint, error: string): error is FaultError {
  const errors: readonly string[] = FAULTS[endpoint]
  return errors.includes(error)
}

/** A failure that was asked for, so that people can see what their client makes of it. */
export interface Fault {
  readonly endpoint: FaultEndpoint
  /** One of `FAULTS[endpoint]`. */
  readonly error: FaultError
  /** How many requests fail; Infinity: all. */
  readonly times: number
}
