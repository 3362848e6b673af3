import { requestedHost } from '../http/host.js'
import { redirectResponse } from '../http/message.js'
import type { Site } from '../http/site.js'

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
