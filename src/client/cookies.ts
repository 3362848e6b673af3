import { Cookie, CookieJar as Jar } from 'tough-cookie'
import type { Header, HeaderList } from '../protocol/http/message.js'
import { headerValues } from '../protocol/http/message.js'

/** The cookies of one login, stored and sent by the rules of RFC 6265. */
export interface CookieJar {
  /** Stores the cookies that a response from `url` sets. */
  store(url: string, response: { readonly headers: HeaderList }): void
  /**
   * Returns the Cookie header for a request to `url`, or no header when no cookie matches.
   * @param context `lax` for a link on another site, `none` for a form or frame of another site. Absent: not compared
   */
  header(url: string, context?: SameSiteContext): Header[]
}

/** The strictest SameSite attribute whose cookies a request carries (draft-ietf-httpbis-rfc6265bis §5.7.3). */
export type SameSiteContext = 'strict' | 'lax' | 'none'

/** The most cookies that one host may set, and the longest Set-Cookie header in characters (RFC 6265 §6.1). */
const MAX_COOKIES = 50
const MAX_LENGTH = 4096

/** The latest time that a Date can hold, in milliseconds since the epoch. */
const LATEST = 8.64e15

/** Parses a Set-Cookie header. Converts its lifetime to an absolute time by the given clock (RFC 6265 §5.3 step 3). */
function readCookie(line: string, now: number): Cookie | undefined {
  const cookie = line.length > MAX_LENGTH ? undefined : Cookie.parse(line)
  if (typeof cookie?.maxAge === 'number') {
    cookie.setExpires(new Date(Math.min(Math.max(now + cookie.maxAge * 1000, 0), LATEST)))
  }
  return cookie
}

/** Returns an empty jar. @param now milliseconds since the epoch, for `Expires` and `Max-Age` */
export function createCookieJar(now: () => number = Date.now): CookieJar {
  const jar = new Jar()
  return {
    store(url, response) {
      for (const line of headerValues(response, 'set-cookie')) {
        const cookie = readCookie(line, now())
        const kept = jar.getCookiesSync(url, { allPaths: true, expire: false }).length
        // A cookie that breaks a rule is ignored, as browsers do.
        if (cookie && kept < MAX_COOKIES) jar.setCookieSync(cookie, url, { ignoreError: true })
      }
    },
    header(url, context) {
      // The jar would compare expiry times with the real clock.
      const fitting = jar
        .getCookiesSync(url, {
          expire: false,
          sort: true,
          ...(context !== undefined && { sameSiteContext: context }),
        })
        .filter(({ expires }) => !(expires instanceof Date) || expires.getTime() > now())
      if (fitting.length === 0) return []
      return [['cookie', fitting.map(cookie => cookie.cookieString()).join('; ')]]
    },
  }
}
