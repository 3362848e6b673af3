import { type HttpRequest, jsonResponse, splitUrl, text } from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import type { Layer, Members } from './model.js'

export const pass: Layer = (request, next) => next(request)

/** A layer may lie in front of a real authorization server. */
export interface Front {
  readonly wrap: (site: Site) => Site
  /** Lies from now on; left out: no layer. */
  readonly set: (layer?: Layer) => void
}

/** Without a layer it passes everything on. */
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

/** The outer layer first. */
export const layered =
  (outer: Layer, inner: Layer): Layer =>
  (request, next) =>
    outer(request, asked => inner(asked, next))

/** Changes the JSON of answers with status 200. */
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

export const isToken = (path: string): boolean => path === '/token'

export const isMetadata = (path: string): boolean => path.startsWith('/.well-known/')

export const isUserinfo = (path: string): boolean => path === '/userinfo'

/** Answers in place of the server. */
export const answering =
  (isPath: (path: string) => boolean, answer: Layer): Layer =>
  (request, next) =>
    isPath(pathOf(request.url)) ? answer(request, next) : next(request)

export const formOf = (request: HttpRequest): URLSearchParams => new URLSearchParams(text(request.body))
