import type { HttpRequest } from '../../http/message.js'
import { takesGzip } from '../proxy/takes-gzip.js'

// How other servers read Accept-Encoding. The tests hold a table of their observed answers.

/** The coding that a server would send. */
export interface OtherAnswer {
  readonly server: string
  readonly coding: string
  /** Why, when the server reads the field in a way of its own. */
  readonly note?: string
}

interface Weighted {
  readonly name: string
  readonly q: number
}

/** nginx with `gzip on` and this type listed, for a direct request over HTTP/1.1. */
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

/**
 * Express with `compression`: weights are read as numbers of any form, identity gets the lowest weight of the list, and among equals br
 * and gzip come first.
 */
function express(lines: readonly string[]): OtherAnswer {
  const server = 'Express, compression'
  if (lines.length === 0) return { server, coding: 'identity' }
  const members = lines
    .join(', ')
    .split(',')
    .map((member): Weighted | undefined => {
      const [, name, parameters = ''] = /^\s*([^\s;]+)\s*(?:;(.*))?$/s.exec(member) ?? []
      if (name === undefined) return undefined
      const weight = parameters.split(';').map(each => each.trim().split('='))
      const q = weight.find(([key]) => key === 'q')?.[1]
      return { name: name.toLowerCase(), q: q === undefined ? 1 : Number.parseFloat(q) }
    })
    .filter(member => member !== undefined)
  const lowest = Math.min(1, ...members.map(({ q }) => q || 1))
  const ranked = ['br', 'gzip', 'deflate', 'identity']
    .map((name, preference) => {
      const named = members.filter(each => each.name === name)
      const meant = (named.length > 0 ? named : members.filter(each => each.name === '*')).filter(
        ({ q }) => q > 0,
      )
      const q = Math.max(0, ...meant.map(each => each.q))
      const first = meant[0]
      const place = first === undefined ? -1 : members.indexOf(first)
      // Only br and gzip are preferred. The others follow in the order of the list; codings outside the list come last.
      const rank = preference < 2 ? preference : 2 + (place < 0 ? members.length : place)
      return { name, q: named.length === 0 && meant.length === 0 && name === 'identity' ? lowest : q, rank }
    })
    .filter(({ q }) => q > 0)
    .sort((a, b) => b.q - a.q || a.rank - b.rank)
  return { server, coding: ranked[0]?.name ?? 'identity' }
}

/** ASP.NET Core with its defaults, br before gzip. A `*` ends the list and offers every coding, even those refused before it. */
function aspNet(lines: readonly string[]): OtherAnswer {
  const server = 'ASP.NET Core'
  const members = lines
    .join(',')
    .split(',')
    .map(member => member.trim())
    .filter(member => member !== '')
    .map((member): Weighted | undefined => {
      const read = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*;\s*q\s*=\s*([01](?:\.\d{0,8})?))?$/i.exec(member)
      return read ? { name: read[1]!.toLowerCase(), q: Number(read[2] ?? '1') } : undefined
    })
  if (members.includes(undefined)) {
    return { server, coding: 'identity', note: 'a list that it cannot parse counts as none' }
  }
  const providers = ['br', 'gzip']
  const candidates: (Weighted & { rank: number })[] = []
  for (const member of members) {
    if (member === undefined || member.q <= 0) continue
    const { name, q } = member
    if (name === '*') {
      candidates.push(...providers.map((provider, rank) => ({ name: provider, q, rank })))
      break
    }
    if (providers.includes(name)) candidates.push({ name, q, rank: providers.indexOf(name) })
    if (name === 'identity') candidates.push({ name, q, rank: providers.length })
  }
  const best = candidates.sort((a, b) => b.q - a.q || a.rank - b.rank)[0]
  return { server, coding: best?.name ?? 'identity' }
}

/** The answers of common servers to an offer, in their usual configuration for text. */
export function otherServers(lines: readonly string[]): OtherAnswer[] {
  return [nginx(lines), express(lines), aspNet(lines)]
}
