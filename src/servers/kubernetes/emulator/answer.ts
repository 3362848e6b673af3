import { bytes, type HeaderList, type HttpResponse, utf8Value } from '../../../protocol/http/message.js'
import { type ApiRequest, userAgent } from './api-request.js'
import { quote } from './go/quote.js'

/** Programs whose users read the raw answer. */
const HUMAN = /^(curl|Wget|Mozilla\/5\.0)/

/** True for an answer to indent: the query requests it, or the user of the program reads the answer. */
export function isPretty(request: ApiRequest): boolean {
  const asked = request.query.get('pretty') ?? ''
  return asked === '' ? HUMAN.test(userAgent(request)) : /^(1|t|true)$/i.test(asked)
}

const UNSAFE: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** Formats JSON as Go does, which escapes characters of HTML. Indented text ends without a newline. */
export function goJson(value: unknown, pretty: boolean): string {
  const text = JSON.stringify(value, undefined, pretty ? 2 : undefined)
  const safe = text.replace(/[<>&\u2028\u2029]/g, char => UNSAFE[char]!)
  return pretty ? safe : `${safe}\n`
}

/** Returns an object as an answer. */
export function objectAnswer(
  request: ApiRequest,
  status: number,
  object: unknown,
  contentType = 'application/json',
): HttpResponse {
  return {
    status,
    headers: [
      ['cache-control', 'no-cache, private'],
      ['content-type', contentType],
    ],
    body: bytes(goJson(object, isPretty(request))),
  }
}

/** Returns an answer in plain text. */
export function plainAnswer(status: number, body: string, headers: HeaderList = []): HttpResponse {
  return {
    status,
    headers: [
      ['cache-control', 'no-cache, private'],
      ['content-type', 'text/plain; charset=utf-8'],
      ['x-content-type-options', 'nosniff'],
      ...headers,
    ],
    body: bytes(body),
  }
}

/** Lengths in characters: of all warnings together, and of each one where all of them are longer. */
const MAX_WARNINGS = 4096
const MAX_WARNING = 256

/** Returns warnings as headers (RFC 7234 §5.5), each once. Long ones are cut as the real server cuts them. */
export function warningHeaders(warnings: readonly string[]): HeaderList {
  const distinct = [...new Set(warnings)].map(each => [...each])
  const total = distinct.reduce((sum, { length }) => sum + length, 0)
  let written = 0
  return distinct.flatMap(characters => {
    if (written >= MAX_WARNINGS) return []
    const shown = total > MAX_WARNINGS ? characters.slice(0, MAX_WARNING) : characters
    written += shown.length
    return [['warning', `299 - ${utf8Value(quote(shown.join('')))}`] as const]
  })
}
