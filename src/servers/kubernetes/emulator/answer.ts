import {
  bytes,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  utf8Value,
} from '../../../protocol/http/message.js'
import { quote } from '../encoding/go-json.js'
import { type ApiRequest, isTrue, userAgent } from './api-request.js'

/** Programs whose users read the raw answer. */
const HUMAN = /^(curl|Wget|Mozilla\/5\.0)/

/** True for an answer to indent: the query requests it, or the user of the program reads the answer. */
function isPretty(request: ApiRequest): boolean {
  return request.query.get('pretty') ? isTrue(request, 'pretty') : HUMAN.test(userAgent(request))
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

/** Returns the headers of an answer that nobody keeps. */
export const uncached = (contentType = 'application/json'): HeaderList => [
  ['cache-control', 'no-cache, private'],
  ['content-type', contentType],
]

/** Returns an object as an answer. */
export function objectAnswer(
  request: ApiRequest,
  status: number,
  object: unknown,
  contentType?: string,
): HttpResponse {
  return { status, headers: uncached(contentType), body: bytes(goJson(object, isPretty(request))) }
}

/** Returns an answer in plain text. */
export function plainAnswer(status: number, body: string): HttpResponse {
  const headers = [...uncached('text/plain; charset=utf-8'), ['x-content-type-options', 'nosniff']] as const
  return { status, headers, body: bytes(body) }
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

/** One media range of an Accept header. */
type MediaRange = { readonly type: string; readonly parameters: Readonly<Record<string, string>> }

/** Returns the media ranges that a client accepts, best first. A request without Accept accepts all types. */
function acceptedRanges(request: HttpRequest): MediaRange[] {
  const value = header(request, 'accept') ?? ''
  if (value.trim() === '') return [{ type: '*/*', parameters: {} }]
  return value
    .slice(0, 4096)
    .split(',')
    .map((clause, order) => {
      const [type = '', ...rest] = clause.split(';').map(part => part.trim())
      const parameters = Object.fromEntries(
        rest.map(part => {
          const [name = '', text = ''] = part.split('=', 2)
          return [name.toLowerCase(), text.replace(/^"(.*)"$/, '$1')]
        }),
      )
      const q = Number(parameters.q ?? 1)
      return { type: type.toLowerCase(), parameters, order, q: Number.isFinite(q) ? q : 1 }
    })
    .filter(({ type, q }) => type !== '' && q > 0)
    .sort((a, b) => b.q - a.q || a.order - b.order)
}

/** True when a media range includes a media type. */
function takes({ type }: MediaRange, mediaType: string): boolean {
  return type === '*/*' || type === mediaType || type === `${mediaType.split('/')[0]}/*`
}

/** True when a client accepts one of the media types. */
export function accepts(request: HttpRequest, mediaTypes: readonly string[]): boolean {
  return acceptedRanges(request).some(range => mediaTypes.some(each => takes(range, each)))
}

/** Returns the form that a client prefers, such as `Table`, with its version. */
export function preferredForm(request: HttpRequest, known: readonly string[]): string | undefined {
  for (const range of acceptedRanges(request)) {
    const { as, g = '', v = '' } = range.parameters
    const form = as === undefined ? undefined : `${g}/${v} ${as}`
    if (form === undefined && takes(range, 'application/json')) return undefined
    if (form !== undefined && takes(range, 'application/json') && known.includes(form)) return form
  }
  return undefined
}
