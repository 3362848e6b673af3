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

/** Hosts of this computer, where plain http leaves nothing unprotected. */
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Returns the problem of an address that a client registers for messages about logouts; undefined when it is valid. */
export function logoutUriProblem(uri: string): string | undefined {
  if (!URL.canParse(uri)) return 'it is not an absolute URI'
  const { protocol, username, password, hostname } = new URL(uri)
  if (uri.includes('#')) return 'it has a fragment'
  if (username !== '' || password !== '') return 'it has user information'
  if (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.has(hostname))) return undefined
  return 'it is not https; plain http is for 127.0.0.1, [::1] and localhost'
}

/**
 * True for an address on the scheme, host and port of a redirect_uri (Front-Channel Logout §2). A loopback address is
 * registered without its port.
 */
export function isOnOriginOf(uri: string, redirectUris: readonly string[]): boolean {
  const { origin, hostname, protocol } = new URL(uri)
  return redirectUris.some(each => {
    if (!URL.canParse(each)) return false
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
