import { html } from '../http/html.js'
import { bytes, type HttpRequest, type HttpResponse, mediaType, splitUrl, text } from '../http/message.js'
import type { Site } from '../http/site.js'

function withNotice({ url }: HttpRequest, response: HttpResponse, notice: string): HttpResponse {
  const type = mediaType(response)
  if (response.body.length === 0) return response
  if (type === 'text/html') {
    const { markup } = html`<p class="alert" role="note"><strong>${notice}</strong></p>\n`
    const page = text(response.body)
    return { ...response, body: bytes(page.replace('<h1>', heading => markup + heading)) }
  }
  // Other texts are for programs: payloads of an exact size, zone files.
  if (type !== 'text/plain' || splitUrl(url).path !== '/') return response
  return { ...response, body: bytes(`${notice}\n${text(response.body)}`) }
}

/** Puts the sentence of the weak modes on every page of a site, and on the text of its path `/`. */
export function withWeakNotice({ name, handle }: Site, notice: string): Site {
  return {
    name,
    handle: async (request, context) => withNotice(request, await handle(request, context), notice),
  }
}
