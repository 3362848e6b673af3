/** Error codes of the authorization endpoint (RFC 6749 §4.1.2.1, §4.2.2.1; OpenID Connect Core §3.1.2.6). */
export type AuthorizationErrorCode =
  | 'invalid_request'
  | 'unauthorized_client'
  | 'access_denied'
  | 'unsupported_response_type'
  | 'invalid_scope'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'login_required'
  | 'interaction_required'
  | 'consent_required'
  | 'request_not_supported'
  | 'request_uri_not_supported'
  | 'registration_not_supported'
  | 'invalid_target'

/** Error codes of the token endpoint (RFC 6749 §5.2). */
export type TokenErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'

/** The members of an OAuthError besides its code. */
export interface OAuthErrorDetail {
  /** For the other side: what is wrong. Characters outside RFC 6749's set are replaced when it is sent. */
  readonly description: string
  /** The rule that was broken, such as `RFC 6749 §4.1.2`. */
  readonly rule: string
  /** error_uri */
  readonly uri?: string
  /** The offending value, for events and screens. It is never sent to the other side and holds no secret. */
  readonly evidence?: string
}

/** A protocol refusal: a result, not a crash. Thrown by both sides; carries the rule it enforces. */
export class OAuthError extends Error {
  override name = 'OAuthError'
  readonly description: string
  readonly rule: string
  readonly uri: string | undefined
  readonly evidence: string | undefined

  /**
   * @param code the RFC's error code, or a name of this project where the RFC has no code (`state_mismatch`)
   */
  constructor(
    readonly code: string,
    detail: OAuthErrorDetail,
  ) {
    super(`${code}: ${detail.description}`)
    this.description = detail.description
    this.rule = detail.rule
    this.uri = detail.uri
    this.evidence = detail.evidence
  }
}

/** Replaces what `error_description` may not hold (RFC 6749 §4.1.2.1: %x20-21 / %x23-5B / %x5D-7E). */
export function describable(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replaceAll('§', 'section ')
    .replaceAll('…', '...')
    .replace(/[\t\r\n]/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
}

/** The parameters of an error response, in the order of the RFC. */
export function errorParameters(error: OAuthError): [name: string, value: string | undefined][] {
  return [
    ['error', error.code],
    ['error_description', describable(error.description)],
    ['error_uri', error.uri],
  ]
}
