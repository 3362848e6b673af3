import type { Exchange } from '../../../protocol/http/exchange.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { maskHeaders, maskValue } from '../../../protocol/safe-output/mask.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'

/** Longer bodies are cut: a list of a real cluster fills many screens. */
const MAX_BODY_TEXT = 16_000

/** The tokens in a JSON body, hidden: of a request for review, and of a granted token request. */
function maskTokens(body: string): string {
  return body.replace(
    /("(?:token|clientKeyData)"\s*:\s*)"((?:[^"\\]|\\.)*)"/g,
    (_, name: string, value: string) => `${name}"${maskValue(value)}"`,
  )
}

/** A JSON body with line breaks, another as it is. */
function bodyText(body: string): string[] {
  if (body === '') return []
  let text = body
  try {
    text = JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    // It is shown as it came.
  }
  const cut = text.length > MAX_BODY_TEXT ? `${text.slice(0, MAX_BODY_TEXT)}\n…` : text
  return ['', ...cut.split('\n')]
}

/** An exchange with a cluster as it travelled: `>` for the request, `<` for the answer, as curl -v marks them. */
export function httpLines(exchange: Exchange, { showSecrets }: { readonly showSecrets: boolean }): string[] {
  const { request, response, ms, tls } = exchange
  const masking = showSecrets ? 'none' : 'all'
  const body = (text: string) => bodyText(showSecrets ? text : maskTokens(text))
  const headers = (list: Exchange['request']['headers']) =>
    maskHeaders(list, masking).map(([name, value]) => `${name}: ${value}`)
  const { path, query } = splitUrl(request.url)
  const target = query === '' ? path : `${path}?${query}`
  const sent = [`${request.method} ${target} HTTP/1.1`, ...headers(request.headers), ...body(request.body)]
  const received =
    response === undefined
      ? ['no answer']
      : [
          `HTTP/1.1 ${response.status}  (${ms} ms${tls ? `, ${tls.protocol}` : ''})`,
          ...headers(response.headers),
          ...body(response.body),
        ]
  const marked = (mark: string) => (line: string) => `${mark} ${makeSafe(line)}`.trimEnd()
  return [...sent.map(marked('>')), ...received.map(marked('<'))]
}
