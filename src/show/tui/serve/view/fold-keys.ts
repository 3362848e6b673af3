import type { LabEvent } from '../../../../protocol/events.js'
import type { Change } from './change.js'
import { changeOrPush, entries } from './history.js'
import type { KnownKey, LabView } from './lab-view.js'
import { textOf, textsOf } from './members.js'

function keep(view: LabView, kid: string, what: Partial<KnownKey>): LabView {
  const keys = changeOrPush(
    view.keys,
    each => each.kid === kid,
    (): KnownKey => ({ kid, status: 'seen' }),
    each => ({ ...each, ...what }),
  )
  return { ...view, keys }
}

function rotated(view: LabView, event: LabEvent, at: number): LabView {
  const kid = textOf(event, 'kid')
  const retired = textOf(event, 'retired')
  const before = retired === undefined ? view : keep(view, retired, { status: 'published', retiredAt: at })
  // Keys follow each other within one algorithm.
  const alg = textOf(event, 'alg') ?? entries(view.keys).find(each => each.kid === retired)?.alg
  const since = { status: 'signs', since: at } as const
  return kid === undefined ? before : keep(before, kid, alg === undefined ? since : { ...since, alg })
}

/** A resource server fetched keys: which of them it has, and whose they are. */
function fetched(view: LabView, event: LabEvent, at: number): LabView {
  const issuer = textOf(event, 'issuer')
  return textsOf(event, 'kids').reduce(
    (before, kid) => keep(before, kid, { fetchedAt: at, ...(issuer !== undefined && { issuer }) }),
    view,
  )
}

/** Keys that sign, and who fetched them. */
export const keyChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  ['key.made', rotated],
  ['key.rotated', rotated],
  ['keys.fetched', fetched],
]
