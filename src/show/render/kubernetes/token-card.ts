import { foreign } from '../../../protocol/safe-output/safe.js'
import type { DecodedJwt } from '../../../protocol/tokens/decode.js'
import { explainToken, lintNow } from '../../../protocol/tokens/explain.js'
import type {
  Moment,
  NamedObject,
  ServiceAccountToken,
} from '../../../servers/kubernetes/client/service-account-token.js'
import { type JwtText, jwtLines } from '../tokens/jwt-lines.js'
import { columns } from './columns.js'
import { timelineRows } from './moments.js'

/** Longest name of a token, in characters. */
const MAX_NAME = 120

/** A service account token: account, binding, issuer, audience and timeline. */
function accountLines(
  token: ServiceAccountToken,
  moments: readonly Moment[],
  { now, signs }: JwtText,
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

/** A decoded token; `account` is undefined when it belongs to no service account. */
export interface TokenCard {
  readonly jwt: DecodedJwt
  readonly account: { readonly token: ServiceAccountToken; readonly moments: readonly Moment[] } | undefined
}

/** A token as a card: its account and life, then its claims as those of every token. */
export function tokenCardLines({ jwt, account }: TokenCard, text: JwtText): string[] {
  const explained = explainToken(jwt)
  const { claims, parts } = jwt
  const [header, payload, signature] = parts.map(({ length }) => length)
  const notes = [
    `${parts.join('.').length} bytes: header ${header}, claims ${payload}, signature ${signature}`,
    'The signature was not verified: oauth-lab k8s review asks the cluster, k8s verify checks it by the keys.',
  ]
  const lint = [...explained.lint, ...lintNow(claims, { now: text.now, unit: explained.unit })]
  const none = 'This is no service account token: its sub is not system:serviceaccount:NAMESPACE:NAME.'
  return [
    ...(account ? accountLines(account.token, account.moments, text) : [none]),
    '',
    ...jwtLines({ explained, lint, notes }, text),
  ]
}
