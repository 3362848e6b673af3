import type { HttpRequest, HttpResponse } from '../http/message.js'
import type { Site } from '../http/site.js'

/**
 * A site whose program is read at the first request, so that a lab is ready without it.
 * @param make tried again at the next request when it fails
 */
export function lateSite(name: string, make: () => Promise<Site>): Site {
  let site: Site | undefined
  let making: Promise<Site> | undefined

  async function first(request: HttpRequest): Promise<HttpResponse> {
    making ??= make().finally(() => {
      making = undefined
    })
    site = await making
    return site.handle(request)
  }
  return { name, handle: request => (site === undefined ? first(request) : site.handle(request)) }
}
