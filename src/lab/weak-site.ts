import { bytes, type HttpResponse, mediaType, text } from '../http/message.js'
import type { Site } from '../http/site.js'

const HTML = /<main>\n?/

const escaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

function withNotice(response: HttpResponse, notice: string): HttpResponse {
  const type = mediaType(response)
  if (response.body.length === 0) return response
  if (type === 'text/html') {
    const marked = `<main>\n<p role="note"><strong>${escaped(notice)}</strong></p>\n`
    return { ...response, body: bytes(text(response.body).replace(HTML, () => marked)) }
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
