import { foreign } from '../../../protocol/safe-output/safe.js'
import type { Verified } from '../../../servers/cloudflare/client/verify.js'
import { columns } from '../kubernetes/columns.js'
import type { Signs } from '../text/signs.js'

/** Most zones that are named; the rest is counted. */
const NAMED = 8

function who({ kind, from, email, status, id, expires_on: ends }: Verified['credentials']): string {
  const what = kind === 'key' ? `API key of ${email}` : 'API token'
  const facts = [
    `from ${from}`,
    ...(status === undefined ? [] : [status]),
    ...(id === undefined ? [] : [`id ${id}`]),
    ...(ends === undefined ? [] : [`until ${ends}`]),
  ]
  return `${what} (${facts.join(', ')})`
}

function reached(zones: Verified['zones']): string {
  if (zones.length === 0) return 'none'
  const names = zones.slice(0, NAMED).map(({ name }) => name)
  return `${zones.length}: ${names.join(', ')}${zones.length > NAMED ? ', and more' : ''}`
}

function left(budget: Verified['rate_budget']): string {
  if (budget?.left === undefined) return 'the service does not say'
  const { quota, windowSeconds, resetSeconds } = budget
  return [
    `${budget.left}${quota === undefined ? '' : ` of ${quota}`} requests left`,
    ...(windowSeconds === undefined ? [] : [`a window of ${windowSeconds} s`]),
    ...(resetSeconds === undefined ? [] : [`resets in ${resetSeconds} s`]),
  ].join(', ')
}

/** The result of `cf verify` for people. It holds no secret. */
export function dnsVerifyLines(verified: Verified, signs: Signs): string[] {
  const { service, via, credentials, zones, rate_budget: budget } = verified
  const rows = [
    ['Service', `${service} (${via})`],
    ['Credentials', who(credentials)],
    ['Zones', reached(zones)],
    ['Rate budget', left(budget)],
  ]
  return columns(rows.map(row => row.map(each => foreign(each, signs))))
}
