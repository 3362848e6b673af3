import type { Citation } from '../rules/rule.js'

/** The members of an OAuthError besides its code. */
export interface OAuthErrorDetail {
  /** The problem, for the other side. Characters that RFC 6749 does not allow are replaced when it is sent. */
  readonly description: string
  /** The rule that was broken, such as `RFC 6749 §4.1.2`. */
  readonly rule: Citation
  /** The value of `error_uri`. */
  readonly uri?: string | undefined
  /** The offending value, for events and screens. It is never sent to the other side and holds no secret. */
  readonly evidence?: string | undefined
  /** The next moves of a person, where the code alone does not say them. */
  readonly hints?: readonly string[] | undefined
}

/**
 * A protocol error that either side throws. It is a result, not a bug, and names the broken rule.
 * @typeParam Code the possible codes; default: all
 */
export class OAuthError<out Code extends OAuthErrorCode = OAuthErrorCode> extends Error {
  override name = 'OAuthError'
  readonly description: string
  readonly rule: Citation
  readonly uri: string | undefined
  readonly evidence: string | undefined
  readonly hints: readonly string[] | undefined

  /**
   * @param code the RFC's error code, or a name of this project where the RFC has no code (`state_mismatch`)
   */
  constructor(
    readonly code: Code,
    detail: OAuthErrorDetail,
  ) {
    super(`${code}: ${detail.description}`)
    this.description = detail.description
    this.rule = detail.rule
    this.uri = detail.uri
    this.evidence = detail.evidence
    this.hints = detail.hints
  }
}

/** True for a thrown OAuthError with one of these codes. */
export function isRefusal<Code extends OAuthErrorCode>(
  error: unknown,
  codes: readonly Code[],
): error is OAuthError<Code> {
  return error instanceof OAuthError && codes.some(code => code === error.code)
}

/** Replaces characters that `error_description` may not contain (RFC 6749 §4.1.2.1: %x20-21 / %x23-5B / %x5D-7E). */
export function describable(text: string): string {
  return text
    .replace(/["\\]/g, "'")
    .replaceAll('§', 'section ')
    .replaceAll('…', '...')
    .replace(/[\t\r\n]/g, ' ')
    .replace(/[^\x20-\x7e]/g, '?')
}

/** Returns the parameters of an error response, in the order of the RFC. `error_uri` leads to the broken rule. */
export function errorParameters(error: OAuthError): [name: string, value: string | undefined][] {
  return [
    ['error', error.code],
    ['error_description', describable(error.description)],
    ['error_uri', error.uri ?? ruleUri(error.rule)],
  ]
}

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
const BEARER_ERRORS = [
  'invalid_request',
  'invalid_token',
  'insufficient_scope',
  // RFC 9470 §3
  'insufficient_user_authentication',
  'content_too_large',
  'server_error',
  'temporarily_unavailable',
] as const

/** True for a code of the lists above, and not for another text that a server may send in its place. */
export const isKnownError = (text: string): boolean =>
  [
    AUTHORIZATION_ERRORS,
    TOKEN_ERRORS,
    BACKCHANNEL_ERRORS,
    DPOP_ERRORS,
    REGISTRATION_ERRORS,
    BEARER_ERRORS,
  ].some(codes => (codes as readonly string[]).includes(text))

/** An error of the authorization endpoint. */
export type AuthorizationErrorCode = (typeof AUTHORIZATION_ERRORS)[number]

/** An error of the token endpoint. */
export type TokenErrorCode = (typeof TOKEN_ERRORS)[number]

/** An error about a proof of possession. */
export type DpopErrorCode = (typeof DPOP_ERRORS)[number]

/** An error of a protected resource. */
export type BearerErrorCode = (typeof BEARER_ERRORS)[number]

/** An error of the revocation endpoint alone (RFC 7009 §2.2.1). */
type RevocationErrorCode = 'unsupported_token_type'

/** Our codes for problems that a client itself finds. The RFCs define none, and no message carries them. */
type ClientErrorName =
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
type ReceivedErrorCode = string & { readonly [received]: true }

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

/** Specifications of the OpenID Foundation, by their names in our rules. Their sections have anchors like those of old RFCs. */
const OPENID: Readonly<Record<string, string>> = {
  'OpenID Connect Core': 'openid-connect-core-1_0',
  'OpenID Connect Discovery': 'openid-connect-discovery-1_0',
  'OpenID Connect Registration': 'openid-connect-registration-1_0',
  'OpenID Connect RP-Initiated Logout': 'openid-connect-rpinitiated-1_0',
  'OpenID Connect Back-Channel Logout': 'openid-connect-backchannel-1_0',
  'OpenID Connect Front-Channel Logout': 'openid-connect-frontchannel-1_0',
  'OpenID Connect Session Management': 'openid-connect-session-1_0',
  'OpenID Connect CIBA Core': 'openid-client-initiated-backchannel-authentication-core-1_0',
  'OAuth 2.0 Multiple Response Type Encoding Practices': 'oauth-v2-multiple-response-types-1_0',
}

/** Pages of the Model Context Protocol, by their names in our rules. Their sections have no stable anchors. */
const MCP: Readonly<Record<string, string>> = {
  'MCP 2026-07-28 Authorization': '2026-07-28/basic/authorization',
  'MCP 2026-07-28 Discovery': '2026-07-28/basic/authorization/authorization-server-discovery',
  'MCP 2026-07-28 Registration': '2026-07-28/basic/authorization/client-registration',
  'MCP 2026-07-28 Security': '2026-07-28/basic/authorization/security-considerations',
  'MCP 2026-07-28 Transport': '2026-07-28/basic/transports/streamable-http',
  'MCP 2026-07-28 Versioning': '2026-07-28/basic/versioning',
  'MCP 2025-11-25 Lifecycle': '2025-11-25/basic/lifecycle',
  'MCP 2025-11-25 Transports': '2025-11-25/basic/transports',
  'MCP 2025-03-26 Authorization': '2025-03-26/basic/authorization',
}

/** Returns the URL of a rule such as `RFC 6750 §3.1`; undefined for a rule of another form. */
export function ruleUri(rule: Citation): string | undefined {
  const [, rfcAppendix, appendix = ''] = /^RFC (\d+) Appendix ([A-Z](?:\.\d+)*)$/.exec(rule) ?? []
  if (rfcAppendix !== undefined)
    return `https://www.rfc-editor.org/rfc/rfc${rfcAppendix}#appendix-${appendix}`
  const [, name = '', section = ''] = /^(.+) §([0-9.]+)(?:-\d+)?$/.exec(rule) ?? []
  if (/^draft-[a-z0-9-]+$/.test(name))
    return `https://datatracker.ietf.org/doc/html/${name}#section-${section}`
  if (name === 'FAPI 2.0 Security Profile')
    return `https://openid.net/specs/fapi-security-profile-2_0-final.html#section-${section}`
  if (name === 'JARM') return `https://openid.net/specs/oauth-v2-jarm-final.html#section-${section}`
  if (Object.hasOwn(OPENID, name))
    return `https://openid.net/specs/${OPENID[name]}.html#rfc.section.${section}`
  if (Object.hasOwn(MCP, name)) return `https://modelcontextprotocol.io/specification/${MCP[name]}`
  const rfc = /^RFC (\d+)$/.exec(name)?.[1]
  return rfc === undefined ? undefined : `https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section}`
}
