import { UserError } from '../../../errors.js'
import { ApiRefusal } from '../dns-client-errors.js'
import { eventKeys, type ListedEvent, timeOfEvent } from './event.js'
import type { FoundEvents } from './event-source.js'
import type { Period } from './period.js'

/** How new events are waited for. */
export interface Following {
  /** Asks once for the events of a period, newest first. */
  readonly find: (period: Period) => Promise<FoundEvents>
  /** Milliseconds between two questions. */
  readonly interval: number
  /** So much later than it happened may an event show up, in milliseconds. */
  readonly late: number
  readonly pause: (ms: number) => Promise<void>
  /** Told why there is nothing new for a while, and for how long, in milliseconds. */
  readonly troubled: (error: UserError, wait: number) => void
  /** Told when that is over. */
  readonly recovered: () => void
}

/** So often in a row may a question fail before following ends. */
const MOST_FAILURES = 5

/** The longest wait after failures, in milliseconds. */
const LONGEST_WAIT = 300_000

/** Whether asking later may help: too many requests, a service that stumbles, a network that is away. */
function passes(error: unknown): error is UserError {
  if (error instanceof ApiRefusal) return error.status === 429 || error.status >= 500
  return error instanceof UserError && ['TransportError', 'TimeoutError'].includes(error.name)
}

/**
 * Events as they come: first those of the period, be there none, then new ones, oldest first, none of them twice. Ends with the
 * promise of `pause` or `find` that is rejected.
 * @throws what `find` throws; after the first answer, what may pass only when it came several times in a row
 */
export async function* follow(first: Period, ports: Following): AsyncGenerator<readonly ListedEvent[]> {
  const { find, interval, late, pause, troubled, recovered } = ports
  const seen = new Map<string, number>()
  let { since } = first
  let newest = since
  let failures = 0
  let asked = false
  for (;;) {
    let found: FoundEvents
    try {
      found = await find({ since })
      if (failures > 0) recovered()
      failures = 0
    } catch (error) {
      failures++
      // Who could not be asked once may never be there.
      if (!asked || !passes(error) || failures >= MOST_FAILURES) throw error
      const wait = Math.min(interval * 2 ** failures, LONGEST_WAIT)
      troubled(error, wait)
      await pause(wait)
      continue
    }
    const keys = eventKeys(found.events)
    const fresh = found.events.filter((_, i) => !seen.has(keys[i]!)).reverse()
    for (const [i, event] of found.events.entries()) {
      const at = timeOfEvent(event)
      seen.set(keys[i]!, at ?? Number.POSITIVE_INFINITY)
      newest = Math.max(newest, at ?? newest)
    }
    // Asked for again are the last second, since times are whole seconds, and what may show up late.
    since = Math.max(first.since, newest - late)
    for (const [key, at] of seen) if (at < since - 1000) seen.delete(key)
    if (fresh.length > 0 || !asked) yield fresh
    asked = true
    await pause(interval)
  }
}
