import { redirectResponse, requestedHost, withNosniff } from '../../protocol/http/message.js'
import type { Handle, Site } from '../../protocol/http/site.js'

/** Loads the code of a site at its first request. @param make called again at the next request after a failure */
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
 * Redirects (302) every request to the same target over https.
 * @param httpsBaseUrl its host replaces a bad or missing Host
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
