import type { HttpRequest } from '../../../protocol/http/message.js'
import { parseAcceptEncoding } from '../../../protocol/http/negotiation.js'
import { takesGzip } from '../proxy/proxy.js'

// Models of how other servers read Accept-Encoding. The tests hold tables of observed answers, and ask the servers.

/** Returns the coding that each common server, as it is usually configured for text, sends for an offer. */
export function otherServers(lines: readonly string[]): OtherAnswer[] {
  return [
    nginx(lines),
    express(lines),
    aspNet(lines),
    apache(lines),
    caddy(lines),
    haproxy(lines),
    cloudflare(lines),
  ]
}

/** Reads one member of the list as Express does. Returns nothing for a member without a name. */
function readLoosely(member: string): Weighted[] {
  const [, name, parameters = ''] = /^\s*([^\s;]+)\s*(?:;(.*))?$/s.exec(member) ?? []
  if (name === undefined) return []
  const weight = parameters
    .split(';')
    .map(each => each.trim().split('='))
    .find(([key]) => key === 'q')
  return [{ name: name.toLowerCase(), q: weight === undefined ? 1 : Number.parseFloat(weight[1] ?? '') }]
}

/**
 * Express with `compression`. It reads weights as numbers of any form. An identity that is not listed gets the lowest weight
 * of the list. A repeated coding has its highest weight. Among equal weights, br and gzip come first.
 */
function express(lines: readonly string[]): OtherAnswer {
  const members = lines.join(',').split(',').flatMap(readLoosely)
  if (!members.some(({ name }) => name === 'identity' || name === '*')) {
    members.push({ name: 'identity', q: Math.min(1, ...members.map(({ q }) => q || 1)) })
  }
  const ranked = ['br', 'gzip', 'deflate', 'identity']
    .flatMap((name, preference) => {
      const named = members.filter(each => each.name === name)
      const meant = named.length > 0 ? named : members.filter(each => each.name === '*')
      if (meant.length === 0) return []
      const last = meant.reduce((best, each) => (each.q < best.q ? best : each))
      // deflate and identity follow in the order of the list, and then those that only `*` names.
      const place = named.length > 0 ? members.indexOf(last) : members.length + preference
      return { name, q: last.q, rank: preference < 2 ? preference : 2 + place }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.rank - b.rank)
  return { server: 'Express, compression', coding: ranked[0]?.name ?? 'identity' }
}

/** A coding and its weight as ASP.NET Core reads them. */
const STRICT_MEMBER = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,8})?))?$/i

/** ASP.NET Core with its defaults: br before gzip. A `*` ends the list and offers every coding, even a refused one. */
function aspNet(lines: readonly string[]): OtherAnswer {
  const server = 'ASP.NET Core'
  const members = lines
    .join(',')
    .split(',')
    .map(member => member.trim())
    .filter(member => member !== '')
    .map(member => STRICT_MEMBER.exec(member))
  if (members.includes(null)) {
    return { server, coding: 'identity', note: 'it ignores a list that it cannot parse' }
  }
  const providers = ['br', 'gzip']
  const known = [...providers, 'identity']
  const candidates: Weighted[] = []
  for (const [, coding = '', weight = '1'] of members.filter(each => each !== null)) {
    const name = coding.toLowerCase()
    const q = Number(weight)
    if (q === 0) continue
    if (name === '*') {
      candidates.push(...providers.map(provider => ({ name: provider, q })))
      break
    }
    if (known.includes(name)) candidates.push({ name, q })
  }
  const best = candidates.sort((a, b) => b.q - a.q || known.indexOf(a.name) - known.indexOf(b.name))[0]
  return { server, coding: best?.name ?? 'identity' }
}

/** nginx with `gzip on` for this media type, and a direct request over HTTP/1.1. */
function nginx(lines: readonly string[]): OtherAnswer {
  const request: HttpRequest = {
    method: 'GET',
    url: 'http://nginx/',
    headers: lines.map(value => ['Accept-Encoding', value] as const),
    httpVersion: '1.1',
    body: new Uint8Array(),
  }
  const verdict = takesGzip(request, false)
  return verdict.takes
    ? { server: 'nginx, gzip on', coding: 'gzip' }
    : { server: 'nginx, gzip on', coding: 'identity', note: verdict.why }
}

/** A weight that Apache reads as a refusal: the first parameter, in lower case, without blanks around the equals sign. */
const APACHE_REFUSAL = /^[ \t]*q=0(?:\.0{0,3})?[ \t]*$/

/**
 * Apache with `AddOutputFilterByType DEFLATE`. The first gzip of the list decides. An empty member ends the list. Weights
 * above zero and `*` have no effect.
 */
function apache(lines: readonly string[]): OtherAnswer {
  const server = 'Apache, mod_deflate'
  for (const member of lines.join(', ').split(',')) {
    const [name = '', weight = ''] = member.trim().split(';')
    const token = name.trim().split(/[ \t]/, 1)[0]!.toLowerCase()
    if (token === '') return { server, coding: 'identity', note: 'an empty member ends its list' }
    if (token !== 'gzip') continue
    return APACHE_REFUSAL.test(weight)
      ? { server, coding: 'identity', note: 'the first gzip of the list is refused' }
      : { server, coding: 'gzip' }
  }
  return { server, coding: 'identity' }
}

/** A number as Go reads it. */
const GO_NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/

/** The least weight that Caddy does not take for 0. It reads weights as 32-bit numbers. */
const CADDY_LEAST = 0.00001

/** The order of `encode zstd gzip`, which Caddy's documents recommend. */
const CADDY_ORDER = ['zstd', 'gzip']

/** Caddy with `encode zstd gzip`. It reads the first field line only, and the first parameter of each member; `*` has no effect. */
function caddy(lines: readonly string[]): OtherAnswer {
  const members = (lines[0] ?? '').split(',').map((member): Weighted => {
    const [name = '', parameter = ''] = member.split(';').map(part => part.trim().toLowerCase())
    const weight = parameter.startsWith('q=') ? parameter.slice(2) : ''
    const q = GO_NUMBER.test(weight) ? Math.fround(Number(weight)) : 1
    return { name, q: q >= 0 && q <= 1 ? q : 1 }
  })
  const best = members
    .filter(({ name, q }) => q >= CADDY_LEAST && CADDY_ORDER.includes(name))
    .sort((a, b) =>
      Math.abs(a.q - b.q) < CADDY_LEAST
        ? CADDY_ORDER.indexOf(a.name) - CADDY_ORDER.indexOf(b.name)
        : b.q - a.q,
    )[0]
  const answer = { server: 'Caddy, zstd gzip', coding: best?.name ?? 'identity' }
  return lines.length > 1 ? { ...answer, note: 'it reads the first of several lines' } : answer
}

/** Reads a weight as HAProxy does, in thousandths. A text that does not begin with a digit is 1. */
function haproxyWeight(text: string): number {
  const [, whole, fraction = ''] = /^(\d)(?:\.(\d{0,3}))?/.exec(text) ?? []
  if (whole === undefined) return 1000
  return Math.min(1000, Number(whole) * 1000 + Number(fraction.padEnd(3, '0')))
}

/**
 * HAProxy with `compression algo gzip`. The member with the highest weight counts, and `*` stands for gzip even beside
 * `gzip;q=0`.
 */
function haproxy(lines: readonly string[]): OtherAnswer {
  let best = 0
  let byStar = false
  for (const member of lines.flatMap(line => line.split(',')).map(each => each.trim())) {
    const [, token = '', rest = ''] = /^([!#$%&'*+.^_`|~0-9A-Za-z-]*)[ \t]*(.*)$/s.exec(member) ?? []
    const parameters = rest.startsWith(';') ? rest.slice(1).split(';') : []
    const weight = parameters.map(each => each.replace(/^[ \t]+/, '')).find(each => each.startsWith('q='))
    const q = weight === undefined ? 1000 : haproxyWeight(weight.slice(2))
    const star = member.startsWith('*')
    if (q <= best || !(star || token.toLowerCase() === 'gzip')) continue
    best = q
    byStar = star
  }
  const answer = { server: 'HAProxy, algo gzip', coding: best > 0 ? 'gzip' : 'identity' }
  return byStar ? { ...answer, note: '* stands for gzip' } : answer
}

/** Cloudflare with its defaults: br before gzip, of those that the client supports. */
function cloudflare(lines: readonly string[]): OtherAnswer {
  const members = (parseAcceptEncoding(lines) ?? []).filter(
    ({ q, ignored }) => q > 0 && ignored === undefined,
  )
  const coding = ['br', 'gzip'].find(each => members.some(member => member.coding === each)) ?? 'identity'
  return { server: 'Cloudflare', coding, note: 'by its documents; zstd only with a compression rule' }
}

/** The coding that a server would send. */
export interface OtherAnswer {
  readonly server: string
  readonly coding: string
  /** The reason, when the server reads the field in its own way. */
  readonly note?: string
}

/** A coding and its weight as a server reads them. */
interface Weighted {
  readonly name: string
  readonly q: number
}
