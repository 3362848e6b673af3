import {
  bytes,
  type HttpRequest,
  type HttpResponse,
  mediaType,
  splitUrl,
  text,
} from '../../protocol/http/message.js'
import { html } from '../../protocol/http/page.js'
import type { Site } from '../../protocol/http/site.js'

/** How a site answers people. */
export interface WeakPages {
  /** The sentence of the weak modes. */
  readonly notice: string
  /** True for a site whose refusals in plain text are compared by programs, such as `invalid_payload` of a chat service. */
  readonly forPrograms?: boolean
}

/** The start of a document. `ok` of a chat service is HTML by its type only. */
const DOCUMENT = /^\s*<!doctype html/i

/** The place of the sentence: before the heading, or first in the body. A document without both, such as one for a frame, has it at its end. */
function placeIn(page: string): number {
  const heading = page.search(/<h1[\s>]/i)
  if (heading !== -1) return heading
  const body = /<body(?:\s[^>]*)?>/i.exec(page)
  return body ? body.index + body[0].length : page.length
}

function withNotice({ url }: HttpRequest, response: HttpResponse, pages: WeakPages): HttpResponse {
  const { notice, forPrograms = false } = pages
  const type = mediaType(response)
  if (response.body.length === 0) return response
  if (type === 'text/html') {
    const page = text(response.body)
    if (!DOCUMENT.test(page)) return response
    const { markup } = html`<p class="alert" role="note"><strong>${notice}</strong></p>\n`
    const place = placeIn(page)
    return { ...response, body: bytes(page.slice(0, place) + markup + page.slice(place)) }
  }
  if (type !== 'text/plain') return response
  // Other texts are for programs: payloads of an exact size, zone files.
  const refused = response.status >= 400 && !forPrograms
  if (!refused && splitUrl(url).path !== '/') return response
  return { ...response, body: bytes(`${notice}\n${text(response.body)}`) }
}

/** Puts the sentence of the weak modes on every page of a site, on its refusals in plain text, and on the text of its path `/`. */
export function withWeakNotice({ name, handle }: Site, pages: WeakPages): Site {
  return {
    name,
    handle: async (request, context) => withNotice(request, await handle(request, context), pages),
  }
}
