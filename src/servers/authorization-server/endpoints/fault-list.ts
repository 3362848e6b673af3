import { BACKCHANNEL_ERRORS, type OAuthErrorCode } from '../../../protocol/oauth/oauth-error.js'

/** Errors of a server that is down or overloaded (RFC 6749 §4.1.2.1). */
const OUTAGES = ['server_error', 'temporarily_unavailable'] as const

/** Errors that every client endpoint may answer (RFC 6749 §5.2). */
const CLIENT_ERRORS = ['invalid_request', 'invalid_client', ...OUTAGES] as const

/** Endpoints that can be made to fail, and the errors that they can be made to answer. */
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
  backchannel_authentication: [
    ...CLIENT_ERRORS,
    'invalid_scope',
    'unauthorized_client',
    'access_denied',
    ...BACKCHANNEL_ERRORS,
  ],
  discovery: OUTAGES,
  jwks: OUTAGES,
} as const satisfies Readonly<Record<string, readonly OAuthErrorCode[]>>

export type FaultEndpoint = keyof typeof FAULTS

export type FaultError = (typeof FAULTS)[FaultEndpoint][number]

/** True when this endpoint can be made to answer the error. */
export function isFaultOf(endpoint: FaultEndpoint, error: string): error is FaultError {
  const errors: readonly string[] = FAULTS[endpoint]
  return errors.includes(error)
}

/** A failure to inject, so that people can test their clients. */
export interface Fault {
  readonly endpoint: FaultEndpoint
  readonly error: FaultError
  /** Number of requests that fail; Infinity: all requests. */
  readonly times: number
}
