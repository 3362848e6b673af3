import type { LabEvent } from '../../../../protocol/events.js'
import { defined } from '../../../../protocol/values.js'
import type { Change } from './change.js'
import { changeLatest, entries, push, replaceAt } from './history.js'
import type { IssuedToken, LabView } from './lab-view.js'
import { numberOf, textOf, textsOf } from './members.js'

function requested(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'token')
  const seconds = numberOf(event, 'expires_in') ?? numberOf(event, 'granted')
  const audiences = textsOf(event, 'audiences').join(' ')
  const one: IssuedToken = {
    id: textOf(event, 'jti') ?? token ?? '?',
    kind: 'cluster',
    issuedAt: at,
    accepted: 0,
    ...defined({
      token,
      subject: textOf(event, 'account'),
      for: audiences === '' ? undefined : audiences,
      boundTo: textOf(event, 'bound_to'),
      expiresAt: seconds === undefined ? undefined : at + seconds * 1000,
    }),
  }
  return { ...view, tokens: push(view.tokens, one) }
}

function reviewed(view: LabView, event: LabEvent, at: number): LabView {
  const token = textOf(event, 'token')
  if (token === undefined || event.authenticated !== true) return view
  const use = (each: IssuedToken): IssuedToken => ({ ...each, accepted: each.accepted + 1, acceptedAt: at })
  return { ...view, tokens: changeLatest(view.tokens, each => each.token === token, use) }
}

/** With an object go the tokens that are bound to it; with an account its own. */
function deleted(view: LabView, event: LabEvent, at: number): LabView {
  const kind = textOf(event, 'kind')
  const name = textOf(event, 'name')
  const namespace = textOf(event, 'namespace')
  const account = `${namespace}/${name}`
  const ends = ({ kind: of, subject, boundTo, revokedAt }: IssuedToken): boolean =>
    of === 'cluster' &&
    revokedAt === undefined &&
    ((kind === 'ServiceAccount' && subject === account) ||
      (boundTo === `${kind}/${name}` &&
        (namespace === undefined || subject?.startsWith(`${namespace}/`) === true)))
  const end = (token: IssuedToken): IssuedToken => ({
    ...token,
    revokedAt: at,
    revokedBecause: `${kind} ${name} was deleted`,
  })
  const { first } = view.tokens
  const tokens = entries(view.tokens).reduce(
    (kept, token, i) => (ends(token) ? replaceAt(kept, first + i, end(token)) : kept),
    view.tokens,
  )
  return { ...view, tokens }
}

/** The life of a cluster's tokens. */
export const clusterChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  ['cluster.token_requested', requested],
  ['cluster.token_reviewed', reviewed],
  ['cluster.object_deleted', deleted],
]
