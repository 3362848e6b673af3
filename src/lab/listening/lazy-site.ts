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
