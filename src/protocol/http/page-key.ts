import { secretDigest, secretMatches } from '../secrets.js'
import {
  cookie,
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  redirectResponse,
  splitUrl,
} from './message.js'

/** Headers of a page that nobody keeps, and whose address nobody learns. */
export const PRIVATE_PAGE: HeaderList = [
  ['cache-control', 'no-store'],
  ['referrer-policy', 'no-referrer'],
  ['x-content-type-options', 'nosniff'],
]

interface PageKeyOptions {
  readonly key: string
  /** The query parameter with the key. */
  readonly parameter: string
  /** The cookie, whose name begins with `__Host-`. */
  readonly cookieName: string
  /** Makes the cookie another secret than the key, and than the cookie of another page. */
  readonly purpose: string
  /** The path of the page. */
  readonly path: string
}

/** The key in the query of a request. */
type KeyInQuery =
  | { readonly kind: 'none' | 'wrong' }
  | { readonly kind: 'right'; readonly response: HttpResponse }

/** Guards pages that the holder of a key may see. */
export interface PageKey {
  /** True for a request with the cookie. */
  isHolder(request: HttpRequest): boolean
  /** Reads the key in the query of a request. The answer to the right one sets the cookie, and leads to the page without the key. */
  read(request: HttpRequest): KeyInQuery
}

/** Makes the guard of pages for the holder of a key. The key becomes a cookie, so that it stays in no address. */
export function createPageKey({ key, parameter, cookieName, purpose, path }: PageKeyOptions): PageKey {
  const digest = secretDigest(key)
  const value = Buffer.from(secretDigest(`${purpose} ${key}`)).toString('base64url')
  const valueDigest = secretDigest(value)
  const set = `${cookieName}=${value}; Path=/; Secure; HttpOnly; SameSite=Strict`
  return {
    isHolder: request => secretMatches(cookie(request, cookieName) ?? '', valueDigest),
    read(request) {
      const sent = new URLSearchParams(splitUrl(request.url).query).get(parameter)
      if (sent === null) return { kind: 'none' }
      if (!secretMatches(sent, digest)) return { kind: 'wrong' }
      return { kind: 'right', response: redirectResponse(path, [['set-cookie', set], ...PRIVATE_PAGE]) }
    },
  }
}
