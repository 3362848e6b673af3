import type { OtherAnswer, Weighted } from './other-answer.js'

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
export function express(lines: readonly string[]): OtherAnswer {
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
export function aspNet(lines: readonly string[]): OtherAnswer {
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
