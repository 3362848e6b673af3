import type { NamedObject, ServiceAccountToken } from '../../kubernetes/client/service-account-token.js'
import type { Moment } from '../../kubernetes/client/timeline.js'
import { foreign } from '../safe.js'
import type { Signs } from '../signs.js'
import { columns } from './columns.js'
import { timelineRows } from './moments.js'

/** Names in tokens are cut here. */
const MAX_NAME = 120

/**
 * The content of a service account token, in the order of a person's questions: whose, for whom, bound to what, until
 * when.
 */
export function tokenCard(
  token: ServiceAccountToken,
  moments: readonly Moment[],
  { now, signs }: { readonly now: number; readonly signs: Signs },
): string[] {
  const safe = (text: string) => {
    const shown = foreign(text, signs)
    return shown.length > MAX_NAME ? `${shown.slice(0, MAX_NAME)}${signs.ellipsis}` : shown
  }
  const object = ({ name, uid }: NamedObject) => `${safe(name)}${uid === '' ? '' : `  uid ${safe(uid)}`}`
  const { namespace, account, boundTo, node, issuer, audiences } = token
  const facts = [
    ['Account', object(account)],
    ['Namespace', safe(namespace)],
    ['Bound to', boundTo ? `${boundTo.kind} ${object(boundTo)}` : 'nothing but the account'],
    ...(node ? [['On node', object(node)]] : []),
    ['Issuer', issuer === undefined ? 'not named' : safe(issuer)],
    ['Audience', audiences.length === 0 ? 'not named: any' : audiences.slice(0, 50).map(safe).join(', ')],
  ]
  const life =
    moments.length === 0
      ? ['It has no dates: a legacy token, good until its secret is deleted.']
      : columns(timelineRows(moments, now), '  ')
  return [...columns(facts), '', 'Timeline', ...life]
}
