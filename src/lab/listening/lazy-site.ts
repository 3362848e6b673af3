import { redirectResponse, requestedHost, withNosniff } from '../../protocol/http/message.js'
import type { Handle, Site } from '../../protocol/http/site.js'

/**
 * Creates a site whose code is loaded at the first request, so that a lab starts without it.
 * @param make loads the site; called again at the next request after a failure
 */
export function lazySite(name: string, make: () => Promise<Site>): Site {
  let site: Site | undefined
  let making: Promise<Site> | undefined

  const first: Handle = async (request, context) => {
    making ??= make().finally(() => {
      making = undefined
    })
    site = await making
    return site.handle(request, context)
  }
  return { name, handle: (request, context) => (site?.handle ?? first)(request, context) }
}

/**
 * Creates the site of the plain HTTP listener. It redirects (302) every method and path to the same host, path and query
 * over https (interface specification, Plain HTTP listener).
 * @param httpsBaseUrl the URL of the https listener; its host replaces a bad or missing Host
 */
export function createHttpsRedirect(httpsBaseUrl: string): Site {
  const { hostname, port } = new URL(httpsBaseUrl)
  return {
    name: 'http',
    async handle(request) {
      const host = requestedHost(request) ?? hostname
      // The adapter appended the target to the base URL byte for byte.
      const target = request.url.replace(/^https?:\/\/[^/]*/, '')
      const location = `https://${host}${port === '' ? '' : `:${port}`}${target}`
      return withNosniff(redirectResponse(location, [['content-type', 'text/plain; charset=utf-8']]))
    },
  }
}
