import type { Header, HeaderList } from '../http/message.js'
import { headerValues } from '../http/message.js'

interface Cookie {
  readonly name: string
  readonly value: string
  readonly path: string
}

/** Cookies of one login. Kept by origin, which is stricter than RFC 6265: none ever reaches another port or host. */
export interface CookieJar {
  /** Keeps the cookies that an answer from `url` sets. */
  store(url: string, response: { readonly headers: HeaderList }): void
  /** The Cookie header for a request to `url`; none when no cookie fits. */
  header(url: string): Header[]
}

/** At most so many cookies are kept for an origin, and so many characters of each. */
const MAX_COOKIES = 50
const MAX_LENGTH = 4096

/** RFC 6265 §5.1.4 */
function pathFits(cookiePath: string, path: string): boolean {
  if (!path.startsWith(cookiePath)) return false
  return path.length === cookiePath.length || cookiePath.endsWith('/') || path[cookiePath.length] === '/'
}

function readCookie(line: string, url: URL, now: number): { cookie: Cookie; expired: boolean } | undefined {
  if (line.length > MAX_LENGTH) return undefined
  const [pair = '', ...attributes] = line.split(';')
  const mark = pair.indexOf('=')
  const name = pair.slice(0, mark).trim()
  if (mark < 1 || name === '') return undefined
  let path: string | undefined
  let expired = false
  let hasMaxAge = false
  for (const attribute of attributes) {
    const [key = '', ...rest] = attribute.split('=')
    const value = rest.join('=').trim()
    switch (key.trim().toLowerCase()) {
      case 'path':
        path = value.startsWith('/') ? value : undefined
        break
      case 'max-age':
        if (!/^-?\d+$/.test(value)) break
        hasMaxAge = true
        expired = Number(value) <= 0
        break
      case 'expires':
        if (!hasMaxAge) expired = Date.parse(value) <= now
        break
    }
  }
  const directory = url.pathname.slice(0, url.pathname.lastIndexOf('/')) || '/'
  return { cookie: { name, value: pair.slice(mark + 1).trim(), path: path ?? directory }, expired }
}

/** An empty jar. @param now milliseconds since the epoch, for `Expires` */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  const origins = new Map<string, Map<string, Cookie>>()
  return {
    store(address, response) {
      const url = new URL(address)
      const kept = origins.get(url.origin) ?? new Map<string, Cookie>()
      origins.set(url.origin, kept)
      for (const line of headerValues(response, 'set-cookie')) {
        const read = readCookie(line, url, now())
        if (!read) continue
        const key = `${read.cookie.name};${read.cookie.path}`
        kept.delete(key)
        if (!read.expired && kept.size < MAX_COOKIES) kept.set(key, read.cookie)
      }
    },
    header(address) {
      const url = new URL(address)
      const fitting = [...(origins.get(url.origin)?.values() ?? [])]
        .filter(({ path }) => pathFits(path, url.pathname))
        .sort((a, b) => b.path.length - a.path.length)
      if (fitting.length === 0) return []
      return [['cookie', fitting.map(({ name, value }) => `${name}=${value}`).join('; ')]]
    },
  }
}
