import { type HttpRequest, jsonResponse, splitUrl, text } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import type { Layer, Members } from './model.js'

/** Passes everything on. */
export const pass: Layer = (request, next) => next(request)

/** The place in front of a real authorization server where a layer may lie. */
export interface Front {
  /** Puts the place in front of a site. */
  readonly wrap: (site: Site) => Site
  /** Sets the layer that lies from now on; left out: none. */
  readonly set: (layer?: Layer) => void
}

/** Makes a place in front of a server. Without a layer it passes everything on. */
export function createFront(): Front {
  let layer = pass
  return {
    wrap: site => ({
      name: site.name,
      handle: (request, context) => layer(request, asked => site.handle(asked, context)),
    }),
    set(next = pass) {
      layer = next
    },
  }
}

const pathOf = (url: string): string => splitUrl(url).path

/** Both layers, the outer one first. */
export const layered =
  (outer: Layer, inner: Layer): Layer =>
  (request, next) =>
    outer(request, asked => inner(asked, next))

/** Changes the JSON of answers at a path, where they were given with status 200. */
export function changing(
  isPath: (path: string) => boolean,
  change: (members: Members) => Members | Promise<Members>,
): Layer {
  return async (request, next) => {
    const response = await next(request)
    if (!isPath(pathOf(request.url)) || response.status !== 200) return response
    const changed = await change(JSON.parse(text(response.body)) as Members)
    const headers = response.headers.filter(([name]) => !/^(?:content-type|content-length|etag)$/i.test(name))
    return jsonResponse(200, changed, headers)
  }
}

/** True for the token endpoint. */
export const isToken = (path: string): boolean => path === '/token'

/** True for the addresses of the metadata. */
export const isMetadata = (path: string): boolean => path.startsWith('/.well-known/')

/** True for userinfo. */
export const isUserinfo = (path: string): boolean => path === '/userinfo'

/** Answers requests at a path in place of the server, or as the given function does. */
export const answering =
  (isPath: (path: string) => boolean, answer: Layer): Layer =>
  (request, next) =>
    isPath(pathOf(request.url)) ? answer(request, next) : next(request)

/** The parameters of a form request. */
export const formOf = (request: HttpRequest): URLSearchParams => new URLSearchParams(text(request.body))
