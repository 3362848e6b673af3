import { type HttpRequest, headerValues, redirectResponse } from '../http/message.js'
import type { Site } from '../http/site.js'

// uri-host with an optional port (RFC 9110 §7.2): a registered name of letters, digits, `-`, `.` and `_`, or an
// IPv6 literal. Anything else could smuggle user information or a path into the address.
const hostHeader = /^([a-z0-9_]([a-z0-9_.-]{0,252}[a-z0-9_.])?|\[[0-9a-f:.]{2,45}\])(?::\d{0,5})?$/i

/** The host of a Host header without its port; undefined where it is missing, repeated or malformed. */
export function requestedHost(request: HttpRequest): string | undefined {
  const values = headerValues(request, 'host')
  const host = values.length === 1 ? hostHeader.exec(values[0]!.trim())?.[1] : undefined
  return host !== undefined && URL.canParse(`https://${host}/`) ? host : undefined
}

/**
 * The plain HTTP listener: every method and path is answered 302 to the https form of the same host, path and
 * query (interface specification, Plain HTTP listener).
 * @param httpsBaseUrl where the https listener is; its host stands in for a bad or missing Host
 */
export function createHttpsRedirect(httpsBaseUrl: string): Site {
  const { hostname, port } = new URL(httpsBaseUrl)
  return {
    name: 'http',
    async handle(request) {
      const host = requestedHost(request) ?? hostname
      // The target follows the base URL byte for byte; the adapter put it there.
      const target = request.url.replace(/^https?:\/\/[^/]*/, '')
      return redirectResponse(`https://${host}${port === '' ? '' : `:${port}`}${target}`, [
        ['content-type', 'text/plain; charset=utf-8'],
      ])
    },
  }
}
