import type { SecurityProfile } from './profiles.js'

/** The members of a client that switch single rules of the server on or off. */
export interface ClientSwitches {
  /** The security profile of the client, which sets the other switches. Absent: that of the server. */
  readonly profile?: SecurityProfile
  /** True when a token request without a DPoP proof is refused (RFC 9449 §5.2). */
  readonly dpop_bound_access_tokens?: boolean
  /** True when the client must push its authorization requests (RFC 9126 §6). */
  readonly require_pushed_authorization_requests?: boolean
  /** `off`: a refresh token is not replaced at its use (RFC 9700 §4.14.2). Absent: `on`. */
  readonly refresh_token_rotation?: 'on' | 'off'
  /** True when client assertions name the issuer as their only audience, as a string (draft-ietf-oauth-rfc7523bis §4). */
  readonly strict_assertion_audience?: boolean
}
