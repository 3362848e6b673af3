import { isUrl } from '../../protocol/http/address.js'
import { header, headerValues, readSetCookie, type SetCookie } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { isArrival, type MessageKind, type Recorded } from './recorded.js'
import { LOOPBACK, siteOf } from './site.js'
import { createFollower, type Trail } from './trail.js'

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

/** A cookie of the start of a login, which the start of another one set again. */
export interface ReplacedCookie {
  readonly name: string
  /** The entry that set it first. */
  readonly setBy: number
  /** The entry that set it again. */
  readonly replacedBy: number
}

/** The facts about an exchange of OAuth that stand in other exchanges. */
export interface Surroundings extends Trail {
  /** The answer to the preflight of the request (Fetch standard, "CORS-preflight fetch"). */
  readonly preflight?: Recorded
  /** Of the request itself and of the pages after it, which are known later. */
  lost: readonly LostCookie[]
  /** Cookies of the callback that another start of a login had set again. */
  readonly replaced?: readonly ReplacedCookie[]
  /** A cookie of the callback that came back with the next page. */
  kept?: string
}

/** Sees every exchange of a recording, in its order. */
export interface Watch {
  /** @param kind the kind of an exchange of OAuth; lost cookies and next pages are of interest for the callback of a login */
  readonly see: (recorded: Recorded, kind: MessageKind | undefined) => Surroundings
  /** Returns the preflights after which their request did not come. */
  readonly lonely: () => readonly Recorded[]
}

/** A cookie with the address and the entry that set it. */
interface KeptCookie extends SetCookie {
  readonly url: URL
  readonly entry: number
  /** True where the answer that set it sent the browser to log in. */
  readonly ofStart: boolean
  /** The entries of the starts that set it before, with another value. */
  readonly earlier: readonly number[]
}

/** Most earlier starts that are kept of a cookie. */
const MAX_EARLIER = 20

/** Most cookies and preflights that are kept: a recording may hold thousands of sites. */
const MAX_COOKIES = 2000
const MAX_PREFLIGHTS = 200

/** Longest name and value of a cookie that browsers keep, in bytes (draft-ietf-httpbis-rfc6265bis §5.6). */
export const MAX_COOKIE_SIZE = 4096

/** Returns the size of a cookie, as browsers limit it. */
const cookieSize = ({ name, value }: SetCookie): number => Buffer.byteLength(name) + Buffer.byteLength(value)

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
  if (domain !== undefined && !`.${url.hostname}`.endsWith(`.${domain}`)) {
    return `its Domain is ${domain}, which ${url.hostname} cannot set, so browsers drop it`
  }
  const isHostOnly = secure && domain === undefined && attributes.get('path') === '/'
  if (cookie.name.startsWith('__Host-') && !isHostOnly) {
    return 'its name begins with __Host-, which wants Secure, Path=/ and no Domain, so browsers drop it'
  }
  if (cookie.name.startsWith('__Secure-') && !secure) {
    return 'its name begins with __Secure-, which wants Secure, so browsers drop it'
  }
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
  if (
    /^i?frame$/.test(header(recorded.exchange.request, 'sec-fetch-dest') ?? '') &&
    !/^none$/i.test(sameSite)
  ) {
    return `it has ${sameSite ? 'SameSite=Lax' : 'no SameSite, which means Lax'}, and the login runs in a frame of another site`
  }
  return undefined
}

/** Creates a watch over a recording. */
export function createWatch(): Watch {
  const cookies = new Map<string, Map<string, KeptCookie>>()
  let count = 0
  const preflights = new Map<string, Recorded>()
  const lonely = new Set<Recorded>()
  const follower = createFollower<Surroundings>()
  let hasCookies = false

  function keep(recorded: Recorded, url: URL): void {
    const { response } = recorded.exchange
    // Firefox writes several Set-Cookie as one header of several lines.
    const lines =
      response === undefined ? [] : headerValues(response, 'set-cookie').flatMap(each => each.split('\n'))
    const location = response && header(response, 'location')
    const ofStart = /[?&](?:response_type|request_uri|request)=/.test(location ?? '')
    for (const line of lines) {
      const cookie = readSetCookie(line)
      const { name, value, attributes } = cookie
      if (name === '') continue
      const expires = Date.parse(attributes.get('expires') ?? '')
      const ends = value === '' || Number(attributes.get('max-age') ?? 1) <= 0 || expires < recorded.sent
      const site = siteOf(url.hostname)
      const jar = cookies.get(site) ?? new Map<string, KeptCookie>()
      const former = jar.get(name)
      if (jar.delete(name)) count -= 1
      if (ends || count >= MAX_COOKIES) continue
      const isAnother = former?.ofStart && former.value !== value
      const earlier = isAnother ? [...former.earlier, former.entry].slice(-MAX_EARLIER) : []
      cookies.set(site, jar.set(name, { ...cookie, url, entry: recorded.entry, ofStart, earlier }))
      count += 1
    }
  }

  function lostIn(recorded: Recorded, url: URL, isCallback: boolean): LostCookie[] {
    const sent = sentNames(recorded)
    const all = [...(cookies.get(siteOf(url.hostname))?.values() ?? [])].filter(({ name }) => !sent.has(name))
    const lack = (kept: KeptCookie, why: string): LostCookie => ({
      name: kept.name,
      setBy: kept.entry,
      lackedBy: recorded.entry,
      why,
    })
    const lost = all.flatMap(kept => {
      const why = reason(kept, recorded, url)
      return why === undefined ? [] : [lack(kept, why)]
    })
    // A recording without any cookie was sanitized. In another one, the browser blocked the cookie that nothing else kept away.
    if (lost.length === 0 && isCallback && (hasCookies || sent.size > 0)) {
      lost.push(
        ...all
          .filter(({ url: { hostname } }) => hostname === url.hostname)
          .map(kept => lack(kept, UNEXPLAINED)),
      )
    }
    // The latest is most likely the one that the login needs.
    return lost.sort((a, b) => b.setBy - a.setBy)
  }

  function replacedIn(recorded: Recorded, url: URL): ReplacedCookie[] {
    const sent = sentNames(recorded)
    const all = [...(cookies.get(siteOf(url.hostname))?.values() ?? [])]
    return all
      .filter(({ name, ofStart }) => ofStart && sent.has(name))
      .flatMap(({ name, entry, earlier }) =>
        earlier.map((setBy, i) => ({ name, setBy, replacedBy: earlier[i + 1] ?? entry })),
      )
  }

  return {
    see(recorded, kind) {
      const { request } = recorded.exchange
      const url = readUrl(request.url)
      if (url === undefined) return { lost: [] }
      const isCallback = isArrival(kind)
      const isPreflight =
        request.method === 'OPTIONS' && header(request, 'access-control-request-method') !== undefined
      const known = preflights.get(request.url)
      if (known !== undefined) lonely.delete(known)
      if (isPreflight && preflights.size < MAX_PREFLIGHTS) {
        preflights.set(request.url, recorded)
        lonely.add(recorded)
      }
      const preflight = isPreflight ? undefined : known
      const lost = isCallback ? lostIn(recorded, url, true) : []
      const replaced = isCallback ? replacedIn(recorded, url) : undefined
      const surroundings: Surroundings = defined({ lost, preflight, replaced })
      for (const trail of follower.see(recorded, kind, surroundings)) {
        trail.lost = [...trail.lost, ...lostIn(recorded, url, false)]
        const back = cookies.get(siteOf(url.hostname))?.values() ?? []
        const sent = sentNames(recorded)
        const kept = [...back].findLast(({ name, entry }) => entry < recorded.entry && sent.has(name))
        if (kept) trail.kept = kept.name
      }
      hasCookies ||= header(request, 'cookie') !== undefined
      keep(recorded, url)
      return surroundings
    },
    lonely: () => [...lonely],
  }
}

/** The reason for a cookie that nothing in the recording keeps away. */
const UNEXPLAINED = 'nothing in it forbids that, so the browser blocked it, or another login took its place'
