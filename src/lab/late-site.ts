import type { Handle, Site } from '../http/site.js'

/**
 * A site whose program is read at the first request, so that a lab is ready without it.
 * @param make tried again at the next request when it fails
 */
export function lateSite(name: string, make: () => Promise<Site>): Site {
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
