import { isUrl } from '../../protocol/http/address.js'
import { readFields } from '../../protocol/http/form.js'
import { header, headerValues, readSetCookie, type SetCookie, splitUrl } from '../../protocol/http/message.js'
import { isAuthorization, type Recorded, STATIC_FILE } from './recorded.js'

/** A cookie that was set, and that a later request to its site did not carry. */
export interface LostCookie {
  readonly name: string
  /** The entry that set it. */
  readonly setBy: number
  /** The entry whose request lacks it. */
  readonly lackedBy: number
  /** Why no browser sends it there: a clause after a colon. */
  readonly why: string
}

/** The first page that a client answered with after its callback. */
interface Aftermath {
  readonly status: number
  /** True where it sends the browser to log in again. */
  readonly restarts: boolean
}

/** The facts about an exchange of OAuth that stand in other exchanges. */
export interface Surroundings {
  /** The answer to the preflight of the request (Fetch standard, "CORS-preflight fetch"). */
  readonly preflight?: Recorded
  /** Of the request itself and of the first page after it, which is known later. */
  lost: readonly LostCookie[]
  aftermath?: Aftermath
}

/** Sees every exchange of a recording, in its order. */
export interface Watch {
  /** @param isCallback true for the callback of a login, for which lost cookies and the next page are of interest */
  readonly see: (recorded: Recorded, isCallback: boolean) => Surroundings
}

/** A cookie with the address and the entry that set it. */
interface KeptCookie extends SetCookie {
  readonly url: URL
  readonly entry: number
}

/** Most cookies, preflights and open callbacks that are kept: a recording may hold thousands of sites. */
const MAX_COOKIES = 2000
const MAX_PREFLIGHTS = 200
const MAX_LANDED = 50

/** Longest name and value of a cookie that browsers keep, in bytes (draft-ietf-httpbis-rfc6265bis §5.6). */
export const MAX_COOKIE_SIZE = 4096

/** Returns the size of a cookie, as browsers limit it. */
const cookieSize = ({ name, value }: SetCookie): number => Buffer.byteLength(name) + Buffer.byteLength(value)

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.+\.localhost)$/

/** The part of a host that cookies can share, near enough: its last two labels. An address is a site of its own. */
function siteOf(host: string): string {
  if (LOOPBACK.test(host)) return 'localhost'
  return /^[\d.]+$|^\[/.test(host) ? host : host.split('.').slice(-2).join('.')
}

const readUrl = (url: string): URL | undefined => (isUrl(url) ? new URL(url) : undefined)

/** The names of the cookies in a request. */
function sentNames({ exchange: { request } }: Recorded): ReadonlySet<string> {
  const pairs = headerValues(request, 'cookie').flatMap(line => line.split(';'))
  return new Set(pairs.map(pair => pair.split('=', 1)[0]!.trim()))
}

/** True where a page of another site sent the request, as far as its headers say. */
function isCrossSite({ exchange: { request } }: Recorded, to: URL): boolean {
  const said = header(request, 'sec-fetch-site')
  if (said !== undefined) return said === 'cross-site'
  const from = readUrl(header(request, 'origin') ?? header(request, 'referer') ?? '')
  return from !== undefined && siteOf(from.hostname) !== siteOf(to.hostname)
}

/** Returns why a browser does not send a cookie with a request; undefined where it would. */
function reason(cookie: KeptCookie, recorded: Recorded, to: URL): string | undefined {
  const { attributes, url } = cookie
  const size = cookieSize(cookie)
  const secure = attributes.has('secure')
  const sameSite = attributes.get('samesite') ?? ''
  const domain = attributes.get('domain')?.replace(/^\./, '').toLowerCase() || undefined
  if (size > MAX_COOKIE_SIZE) return `it has ${size} bytes, and browsers keep none above ${MAX_COOKIE_SIZE}`
  if (secure && url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return 'it has Secure, and was set over http: the application takes its own address for http, as behind a proxy that ends TLS'
  }
  if (/^none$/i.test(sameSite) && !secure) return 'it has SameSite=None without Secure, so browsers drop it'
  const host = domain ?? url.hostname
  const covers = domain === undefined ? to.hostname === host : `.${to.hostname}`.endsWith(`.${host}`)
  if (!covers) return `it belongs to ${host}, and the request goes to ${to.hostname}`
  if (secure && to.protocol === 'http:' && !LOOPBACK.test(to.hostname)) {
    return 'it has Secure, and the request goes over http'
  }
  const path = attributes.get('path') ?? ''
  const under = path.startsWith('/') ? path : url.pathname.replace(/\/[^/]*$/, '') || '/'
  if (to.pathname !== under && !to.pathname.startsWith(under.endsWith('/') ? under : `${under}/`)) {
    return `its path is ${under}, and the request goes to ${to.pathname}`
  }
  if (!isCrossSite(recorded, to)) return undefined
  const posted = recorded.exchange.request.method === 'POST'
  if (/^strict$/i.test(sameSite)) {
    return 'it has SameSite=Strict, and the request comes from another site'
  }
  if (posted && !/^none$/i.test(sameSite)) {
    return `it has ${sameSite ? 'SameSite=Lax' : 'no SameSite, which means Lax'}, and another site posts the request, as form_post does`
  }
  return undefined
}

const locationOf = ({ exchange: { response } }: Recorded): string =>
  (response && response.status >= 300 && response.status < 400 && header(response, 'location')) || ''

/** Creates a watch over a recording. */
export function createWatch(): Watch {
  const cookies = new Map<string, Map<string, KeptCookie>>()
  let count = 0
  const preflights = new Map<string, Recorded>()
  let landed: { readonly site: string; readonly surroundings: Surroundings }[] = []

  function keep(recorded: Recorded, url: URL): void {
    const { response } = recorded.exchange
    // Firefox writes several Set-Cookie as one header of several lines.
    const lines =
      response === undefined ? [] : headerValues(response, 'set-cookie').flatMap(each => each.split('\n'))
    for (const line of lines) {
      const cookie = readSetCookie(line)
      const { name, value, attributes } = cookie
      if (name === '') continue
      const expires = Date.parse(attributes.get('expires') ?? '')
      const ends = value === '' || Number(attributes.get('max-age') ?? 1) <= 0 || expires < recorded.sent
      const site = siteOf(url.hostname)
      const jar = cookies.get(site) ?? new Map<string, KeptCookie>()
      if (jar.delete(name)) count -= 1
      if (ends || count >= MAX_COOKIES) continue
      cookies.set(site, jar.set(name, { ...cookie, url, entry: recorded.entry }))
      count += 1
    }
  }

  function lostIn(recorded: Recorded, url: URL): LostCookie[] {
    const sent = sentNames(recorded)
    const lost: LostCookie[] = []
    for (const kept of cookies.get(siteOf(url.hostname))?.values() ?? []) {
      if (sent.has(kept.name)) continue
      const why = reason(kept, recorded, url)
      if (why !== undefined) lost.push({ name: kept.name, setBy: kept.entry, lackedBy: recorded.entry, why })
    }
    // The latest is most likely the one that the login needs.
    return lost.sort((a, b) => b.setBy - a.setBy)
  }

  function comesAfter(recorded: Recorded, url: URL): void {
    const { status = 0 } = recorded.exchange.response ?? {}
    if (STATIC_FILE.test(url.pathname) || recorded.exchange.request.method === 'OPTIONS') return
    const site = siteOf(url.hostname)
    for (const { surroundings } of landed.filter(each => each.site === site)) {
      surroundings.aftermath = {
        status,
        restarts: isAuthorization(readFields(splitUrl(locationOf(recorded)).query)),
      }
      surroundings.lost = [...surroundings.lost, ...lostIn(recorded, url)]
    }
    landed = landed.filter(each => each.site !== site)
  }

  return {
    see(recorded, isCallback) {
      const { request } = recorded.exchange
      const url = readUrl(request.url)
      if (url === undefined) return { lost: [] }
      comesAfter(recorded, url)
      const isPreflight =
        request.method === 'OPTIONS' && header(request, 'access-control-request-method') !== undefined
      if (isPreflight && preflights.size < MAX_PREFLIGHTS) preflights.set(request.url, recorded)
      const preflight = isPreflight ? undefined : preflights.get(request.url)
      const lost = isCallback ? lostIn(recorded, url) : []
      keep(recorded, url)
      const surroundings: Surroundings = preflight === undefined ? { lost } : { lost, preflight }
      if (isCallback) {
        const to = locationOf(recorded)
        const next = isUrl(to, request.url) ? new URL(to, request.url) : url
        landed = [...landed, { site: siteOf(next.hostname), surroundings }].slice(-MAX_LANDED)
      }
      return surroundings
    },
  }
}
