import { type HttpRequest, header } from '../../../protocol/http/message.js'

/** One media range of an Accept header. */
export interface MediaRange {
  readonly type: string
  readonly parameters: Readonly<Record<string, string>>
}

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
