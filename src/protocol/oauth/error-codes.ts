/** Error codes of the authorization endpoint (RFC 6749 §4.1.2.1, §4.2.2.1; OpenID Connect Core §3.1.2.6). */
export const AUTHORIZATION_ERRORS = [
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  'login_required',
  'interaction_required',
  'consent_required',
  // OpenID Connect Core Unmet Authentication Requirements 1.0 §2
  'unmet_authentication_requirements',
  'request_not_supported',
  'request_uri_not_supported',
  'registration_not_supported',
  // RFC 9101 §7; RFC 9126 §4 uses the first one too
  'invalid_request_uri',
  'invalid_request_object',
  // RFC 8707 §2
  'invalid_target',
  // RFC 9396 §5
  'invalid_authorization_details',
] as const

/** Error codes of the token endpoint, and of the endpoints that answer in its form (RFC 6749 §5.2). */
export const TOKEN_ERRORS = [
  'invalid_request',
  'invalid_client',
  'invalid_grant',
  'unauthorized_client',
  'unsupported_grant_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
  // RFC 8707 §2
  'invalid_target',
  // RFC 9396 §6
  'invalid_authorization_details',
  // RFC 8628 §3.5
  'authorization_pending',
  'slow_down',
  'access_denied',
  'expired_token',
] as const

/** Error codes of the backchannel authentication endpoint alone (OpenID Connect CIBA Core §13). */
export const BACKCHANNEL_ERRORS = [
  'unknown_user_id',
  'expired_login_hint_token',
  'missing_user_code',
  'invalid_user_code',
  'invalid_binding_message',
] as const

/** Error codes about a proof of possession (RFC 9449 §5, §7.1, §8). */
export const DPOP_ERRORS = ['invalid_dpop_proof', 'use_dpop_nonce'] as const

/** Error codes of the registration endpoint (RFC 7591 §3.2.2). */
export const REGISTRATION_ERRORS = [
  'invalid_redirect_uri',
  'invalid_client_metadata',
  'invalid_software_statement',
  'unapproved_software_statement',
] as const

/** Error codes of a protected resource (RFC 6750 §3.1), with those of failures that the RFC leaves to HTTP. */
export const BEARER_ERRORS = [
  'invalid_request',
  'invalid_token',
  'insufficient_scope',
  // RFC 9470 §3
  'insufficient_user_authentication',
  'content_too_large',
  'server_error',
  'temporarily_unavailable',
] as const

/** An error of the authorization endpoint. */
export type AuthorizationErrorCode = (typeof AUTHORIZATION_ERRORS)[number]

/** An error of the token endpoint. */
export type TokenErrorCode = (typeof TOKEN_ERRORS)[number]

/** An error about a proof of possession. */
export type DpopErrorCode = (typeof DPOP_ERRORS)[number]

/** An error of a protected resource. */
export type BearerErrorCode = (typeof BEARER_ERRORS)[number]

/** An error of the revocation endpoint alone (RFC 7009 §2.2.1). */
export type RevocationErrorCode = 'unsupported_token_type'

/** Our codes for problems that a client itself finds. The RFCs define none, and no message carries them. */
export type ClientErrorName =
  | 'error_page'
  | 'foreign_login_form'
  | 'invalid_metadata'
  | 'invalid_response'
  | 'issuer_mismatch'
  | 'login_cancelled'
  | 'login_failed'
  | 'mcp_error'
  | 'no_assertion_issuer'
  | 'no_pkce'
  | 'no_refresh_token'
  | 'no_registration'
  | 'no_resource'
  | 'no_response'
  | 'no_token_seen'
  | 'replay_accepted'
  | 'resource_mismatch'
  | 'state_mismatch'
  | 'still_logged_in'
  | 'subject_mismatch'
  | 'unknown_page'
  | 'sent_elsewhere'

declare const received: unique symbol

/** A code that another server sent. It may be any text. */
export type ReceivedErrorCode = string & { readonly [received]: true }

/** Every code that an `OAuthError` may carry. */
export type OAuthErrorCode =
  | AuthorizationErrorCode
  | TokenErrorCode
  | (typeof BACKCHANNEL_ERRORS)[number]
  | DpopErrorCode
  | BearerErrorCode
  | (typeof REGISTRATION_ERRORS)[number]
  | RevocationErrorCode
  | ClientErrorName
  | ReceivedErrorCode

/** Returns the code that another server sent, unchanged. */
export function receivedCode(text: string): ReceivedErrorCode {
  return text as ReceivedErrorCode
}
