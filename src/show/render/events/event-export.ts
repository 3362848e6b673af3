import { STATUS_CODES } from 'node:http'
import type { LabEvent } from '../../../protocol/events.js'
import { splitUrl } from '../../../protocol/http/message.js'
import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { shellWord } from '../../../protocol/safe-output/shell.js'

/** The addresses of the listeners of a lab, and the file to trust, as far as events contain them. */
export interface LabPlaces {
  /** Site to base URL, no trailing slash. */
  readonly urls: ReadonlyArray<readonly [site: string, url: string]>
  readonly ca?: string
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const number = (value: unknown): number => (typeof value === 'number' ? value : 0)

/** The address of an answered request; undefined where nobody said where its site is. */
export function requestUrl({ site, path }: LabEvent, { urls }: LabPlaces): string | undefined {
  const base = urls.find(([name]) => name === site)?.[1]
  return base === undefined ? undefined : splitUrl(base).origin + text(path)
}

/**
 * The reason why a request cannot be sent again: events hold neither bodies nor headers, and cut secrets in the middle.
 */
export function notRepeatable(event: LabEvent, places: LabPlaces): string | undefined {
  if (requestUrl(event, places) === undefined) return 'nobody said where its site is'
  if (!/^(GET|HEAD|OPTIONS)$/.test(text(event.method))) return 'events do not carry bodies'
  return text(event.path).includes('…') ? 'its address holds a secret, which events do not' : undefined
}

/** An answered request as a curl command, without headers, because events hold none. */
export function eventCurl(event: LabEvent, places: LabPlaces): string {
  const url = requestUrl(event, places) ?? text(event.path)
  const ca = places.ca !== undefined && url.startsWith('https:') ? ['--cacert', shellWord(places.ca)] : []
  const method =
    event.method === 'HEAD' ? ['--head'] : event.method === 'GET' ? [] : ['-X', text(event.method)]
  return ['curl', '--globoff', ...ca, ...method, shellWord(url)].join(' ')
}

/** Events as JSON, one a line, safe for terminals. */
export function eventLines(events: readonly LabEvent[]): string {
  return events.map(event => `${jsonLine(event)}\n`).join('')
}

/**
 * Answered requests as an HTTP Archive, HAR 1.2. Events hold no headers and no bodies, so the archive has none.
 * @param version of this program
 */
export function eventHar(events: readonly LabEvent[], places: LabPlaces, version: string): string {
  const entries = events.map(event => {
    const ms = number(event.ms)
    const url = requestUrl(event, places) ?? `https://${text(event.site)}.invalid${text(event.path)}`
    const { query } = splitUrl(url)
    const status = number(event.status)
    const ended = Date.parse(event.at)
    return {
      startedDateTime: Number.isNaN(ended) ? event.at : new Date(ended - ms).toISOString(),
      time: ms,
      request: {
        method: text(event.method),
        url,
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        queryString: query === '' ? [] : query.split('&').map(queryPair),
        headersSize: -1,
        bodySize: -1,
      },
      response: {
        status,
        statusText: STATUS_CODES[status] ?? '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        headers: [],
        content: { size: number(event.bodyBytes), mimeType: 'x-unknown' },
        redirectURL: '',
        headersSize: -1,
        bodySize: number(event.wireBytes),
      },
      cache: {},
      timings: { send: 0, wait: ms, receive: 0 },
      comment: `site ${text(event.site)}; headers and bodies are not in events, secrets are cut`,
    }
  })
  const log = { version: '1.2', creator: { name: 'oauth-lab', version }, entries }
  return `${jsonLine({ log }, 2)}\n`
}

function queryPair(part: string): { name: string; value: string } {
  const [name = '', ...value] = part.split('=')
  return { name, value: value.join('=') }
}
