import { type HeaderList, header, headerValues } from '../../../protocol/http/message.js'

/** Time that a document without cache headers is fresh, in milliseconds. */
const USUAL = 60_000

/** Shortest time that a document is fresh when its headers let it be kept at all. */
const LEAST = 10_000

/** Longest time that a document is fresh. */
const MOST = 3_600_000

/** The directives of Cache-Control, in lower case (RFC 9111 §5.2). */
function directives(message: { readonly headers: HeaderList }): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const each of headerValues(message, 'cache-control').join(',').split(',')) {
    const [name = '', value = ''] = each.trim().toLowerCase().split('=', 2)
    // The first of several equal directives counts (RFC 9111 §4.2.1).
    if (!found.has(name)) found.set(name, value.replace(/^"(.*)"$/, '$1'))
  }
  return found
}

/** Returns a number of seconds in milliseconds. A malformed one is 0: the answer is stale (RFC 9111 §4.2.1). */
const milliseconds = (seconds: string | undefined) =>
  seconds !== undefined && /^\d+$/.test(seconds) ? Number(seconds) * 1000 : 0

/** Returns the time that an answer is fresh by its own headers; undefined when they say nothing. */
function announced(message: { readonly headers: HeaderList }, now: number): number | undefined {
  const cacheControl = directives(message)
  const age = milliseconds(header(message, 'age'))
  if (cacheControl.has('max-age')) return milliseconds(cacheControl.get('max-age')) - age
  const expires = header(message, 'expires')
  if (expires === undefined) return undefined
  const sent = Date.parse(header(message, 'date') ?? '')
  // A malformed date, such as 0, is a time in the past (RFC 9111 §5.3).
  const until = Date.parse(expires)
  return Number.isNaN(until) ? 0 : until - (Number.isNaN(sent) ? now : sent) - age
}

/**
 * Returns the milliseconds that an answer is fresh (RFC 9111 §4.2.1), within bounds. 0: every request fetches it again.
 */
export function freshFor(headers: HeaderList, now: number): number {
  const message = { headers }
  const cacheControl = directives(message)
  if (cacheControl.has('no-store') || cacheControl.has('no-cache')) return 0
  const time = announced(message, now) ?? USUAL
  return time <= 0 ? 0 : Math.min(Math.max(time, LEAST), MOST)
}
