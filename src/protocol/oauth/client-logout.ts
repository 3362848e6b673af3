import { isUrl } from '../http/address.js'
import { LOOPBACK } from './message-uri.js'

/** The members of a client that say how it learns of a logout. */
export interface ClientLogout {
  /** Receives logout tokens by POST (Back-Channel Logout §2.2). */
  readonly backchannel_logout_uri?: string
  /** True when the client needs `sid` in logout tokens. They always have it. */
  readonly backchannel_logout_session_required?: boolean
  /** Opened in a frame of the logout page (Front-Channel Logout §2). */
  readonly frontchannel_logout_uri?: string
  /** True when the client needs `iss` and `sid` in the address of the frame. It always has them. */
  readonly frontchannel_logout_session_required?: boolean
}

/**
 * True for an address on the scheme, host and port of a redirect_uri (Front-Channel Logout §2). A loopback address is
 * registered without its port.
 */
export function isOnOriginOf(uri: string, redirectUris: readonly string[]): boolean {
  const { origin, hostname, protocol } = new URL(uri)
  return redirectUris.some(each => {
    if (!isUrl(each)) return false
    const other = new URL(each)
    if (other.origin === origin) return true
    return (
      LOOPBACK.has(hostname) &&
      other.protocol === protocol &&
      other.hostname === hostname &&
      other.port === ''
    )
  })
}
