import { html } from '../http/html.js'
import { bytes, type HttpResponse, mediaType, text } from '../http/message.js'
import type { Site } from '../http/site.js'

function withNotice(response: HttpResponse, notice: string): HttpResponse {
  const type = mediaType(response)
  if (response.body.length === 0) return response
  if (type === 'text/html') {
    const { markup } = html`<p class="alert" role="note"><strong>${notice}</strong></p>\n`
    const page = text(response.body)
    return { ...response, body: bytes(page.replace('<h1>', heading => markup + heading)) }
  }
  if (type !== 'text/plain') return response
  return { ...response, body: bytes(`${notice}\n${text(response.body)}`) }
}

/** Puts the sentence of the weak modes on every page of a site, and on its texts for people. */
export function withWeakNotice({ name, handle }: Site, notice: string): Site {
  return {
    name,
    handle: async (request, context) => withNotice(await handle(request, context), notice),
  }
}
