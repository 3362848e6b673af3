import { isUrl } from './address.js'
import { type HttpRequest, headerValues } from './message.js'

// uri-host with an optional port (RFC 9110 §7.2): a registered name of letters, digits, `-`, `.` and `_`, or an
// IPv6 literal. Anything else could smuggle user information or a path into the address.
const hostHeader = /^([a-z0-9_]([a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i

function hostsOf(request: HttpRequest): readonly (string | undefined)[] {
  return headerValues(request, 'host').map(value => hostHeader.exec(value.trim())?.[1])
}

/** Returns the host of the Host header without its port; undefined when it is missing, repeated or malformed. */
export function requestedHost(request: HttpRequest): string | undefined {
  const [host, ...more] = hostsOf(request)
  return host !== undefined && more.length === 0 && isUrl(`https://${host}/`) ? host : undefined
}

/**
 * True when Host is repeated, malformed or missing; the response is then 400 (RFC 9112 §3.2). Before HTTP/1.1, Host may
 * be missing.
 */
export function hasBadHost(request: HttpRequest): boolean {
  const [host, ...more] = hostsOf(request)
  if (more.length > 0) return true
  return host === undefined && (request.httpVersion === '1.1' || headerValues(request, 'host').length > 0)
}

/** True for an address on this machine. */
export function isLoopbackUrl(url: string): boolean {
  const { hostname } = new URL(url)
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname)
}
