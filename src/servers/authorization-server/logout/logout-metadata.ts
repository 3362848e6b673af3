import { CHECK_SESSION_PATH } from './check-session.js'

/**
 * Returns the metadata about logout: Back-Channel Logout §2.1, Front-Channel Logout §3, Session Management §3.3. Every
 * logout token and every frame names the session.
 */
export function logoutMetadata(issuer: string, callsClients: boolean) {
  return {
    check_session_iframe: `${issuer}${CHECK_SESSION_PATH}`,
    backchannel_logout_supported: callsClients,
    backchannel_logout_session_supported: callsClients,
    frontchannel_logout_supported: true,
    frontchannel_logout_session_supported: true,
  }
}
