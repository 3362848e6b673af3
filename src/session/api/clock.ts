import { parseInstant } from '../../lab/clock.js'
import { parseDuration } from '../../lab/lab-file/duration.js'
import { UsageError } from '../../protocol/errors.js'

/** A moment: a Date, its milliseconds since the epoch, or ISO 8601 such as `2030-01-01T12:00:00Z`. */
export type Instant = Date | number | string

/** A length of time: milliseconds, or `90s`, `15m`, `1h`, `7d`. */
export type Duration = number | string

/** The clock of a lab: what it signs, and what it judges by, knows no other. It runs on from where it is set. */
export interface LabClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Sets the clock forward: codes and tokens grow older by this. */
  advance(by: Duration): void
  /** Sets the clock to a moment. */
  set(to: Instant): void
}

/** @throws UsageError */
function instantOf(moment: Instant): number {
  const ms = typeof moment === 'string' ? parseInstant(moment) : Number(moment)
  if (Number.isFinite(ms)) return ms
  throw new UsageError(`${String(moment)} is not a time`)
}

/** @throws UsageError */
function lengthOf(duration: Duration): number {
  const ms = typeof duration === 'string' ? parseDuration(duration) : duration
  if (ms !== undefined && Number.isFinite(ms)) return ms
  throw new UsageError(`${JSON.stringify(duration)} is not a duration`, ['Write it as 90s, 15m, 1h or 7d'])
}

/** A clock that shows the real time, or runs on from the one it is given. */
export function labClock(start?: Instant): LabClock {
  let ahead = start === undefined ? 0 : instantOf(start) - Date.now()
  return {
    now: () => Date.now() + ahead,
    advance(by) {
      ahead += lengthOf(by)
    },
    set(to) {
      ahead = instantOf(to) - Date.now()
    },
  }
}
