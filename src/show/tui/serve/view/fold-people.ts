import type { LabEvent } from '../../../../protocol/events.js'
import type { Change } from './change.js'
import { entryAt, findLatest, push, replaceAt, size } from './history.js'
import type { KnownUser, LabView } from './lab-view.js'
import { textOf } from './members.js'

/** Names that only failed log-ins brought are listed up to this number, so that they push nobody out. */
const MAX_USERS = 150

function count(view: LabView, event: LabEvent, at: number, which: 'logins' | 'failures'): LabView {
  const name = textOf(event, 'username')
  if (name === undefined) return view
  const n = findLatest(view.users, each => each.name === name)
  const before: KnownUser = n === undefined ? { name, logins: 0, failures: 0 } : entryAt(view.users, n)!
  const after = { ...before, [which]: before[which] + 1, lastAt: at }
  if (n !== undefined) return { ...view, users: replaceAt(view.users, n, after) }
  return size(view.users) < MAX_USERS ? { ...view, users: push(view.users, after) } : view
}

/** The users who logged in, or tried to. */
export const peopleChanges: ReadonlyArray<readonly [type: string, change: Change]> = [
  ['login.succeeded', (view, event, at) => count(view, event, at, 'logins')],
  ['login.failed', (view, event, at) => count(view, event, at, 'failures')],
  ['password.refused', (view, event, at) => count(view, event, at, 'failures')],
]
