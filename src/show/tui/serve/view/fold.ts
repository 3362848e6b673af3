import type { LabEvent } from '../../../../protocol/events.js'
import type { Change } from './change.js'
import { clusterChanges } from './fold-cluster.js'
import { codeChanges } from './fold-codes.js'
import { factChanges } from './fold-facts.js'
import { keyChanges } from './fold-keys.js'
import { peopleChanges } from './fold-people.js'
import { registrationChanges } from './fold-registrations.js'
import { answered, decided } from './fold-requests.js'
import { tokenChanges } from './fold-tokens.js'
import { push } from './history.js'
import type { LabView } from './lab-view.js'

/** The changes that each event makes beside its record, by type. */
const changes: ReadonlyMap<string, Change> = new Map([
  ...factChanges,
  ...codeChanges,
  ...tokenChanges,
  ...clusterChanges,
  ...peopleChanges,
  ...keyChanges,
  ...registrationChanges,
])

/** Events that are no news of their own. */
const unlisted: ReadonlySet<string> = new Set(['lab.ready', 'lab.configured'])

/**
 * The lab after one more event, whatever site it is of: of a live server, of `serve --json` in a pipe, or of a file.
 * Takes the same time however long the lab has been running, and never more memory than its histories are long.
 */
export function fold(view: LabView, event: LabEvent): LabView {
  const parsed = Date.parse(event.at)
  const at = Number.isNaN(parsed) ? (view.lastAt ?? 0) : parsed
  const timed = Number.isNaN(parsed)
    ? view
    : { ...view, startedAt: view.startedAt ?? at, lastAt: Math.max(at, view.lastAt ?? at) }
  if (event.type === 'request.answered') return answered(timed, event, at)
  const followed = decided(timed, event)
  const noted = unlisted.has(event.type) ? followed : { ...followed, events: push(timed.events, event) }
  const change = changes.get(event.type)
  return change === undefined ? noted : change(noted, event, at)
}
