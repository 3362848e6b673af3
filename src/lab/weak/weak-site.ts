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

export interface WeakPages {
  readonly notice: string
  /** Programs compare its plain refusals, such as `invalid_payload` of a chat service. */
  readonly forPrograms?: boolean
}

/** `ok` of a chat service is HTML by its type only. */
const DOCUMENT = /^\s*<!doctype html/i

/** Before the heading, or first in the body, else at the end. */
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

/** On every page, on plain refusals, and on the text of the path `/`. */
export function withWeakNotice({ name, handle }: Site, pages: WeakPages): Site {
  return {
    name,
    handle: async (request, context) => withNotice(request, await handle(request, context), pages),
  }
}
