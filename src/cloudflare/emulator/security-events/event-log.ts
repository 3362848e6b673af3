import type { EmulatorPorts, PastEvent } from '../settings.js'
import { hostileEvent } from './hostile-event.js'

/** An event that happened, and when. */
export interface LoggedEvent {
  readonly ray_id: string
  /** Milliseconds since the epoch, whole seconds. */
  readonly at: number
  /** Everything else; shared by events that are alike. */
  readonly event: PastEvent
}

/** The security events of a zone. */
export interface EventLog {
  /** All until now, newest first. */
  read(): Promise<readonly LoggedEvent[]>
}

/** Between two new events, in milliseconds. */
const MIN_PAUSE = 3000
const MAX_PAUSE = 8000

/** Largest number of kept events. New events are made up for at most the last day at once. */
const MAX_EVENTS = 10_000
const DAY = 86_400_000

const wholeSeconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/** A number from 0 to less than 1, of four random bytes. */
const fraction = (bytes: Uint8Array): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) / 2 ** 32

function newest(past: readonly PastEvent[]): PastEvent[] {
  const recent = past.filter(({ ago_s }) => ago_s <= 3600)
  return recent.length > 0 ? recent : [...past]
}

/**
 * The events of the last day, and new ones like those of the last hour every 3 to 8 s. Times count back from when
 * somebody first asks, so that the last hour always has something to show; new ones are made up when somebody asks
 * again, from the clock, so that nothing runs in between.
 */
export function createEventLog(
  { now, random, pastEvents }: Pick<EmulatorPorts, 'now' | 'random' | 'pastEvents'>,
  { zone, hostile = false }: { readonly zone: string; readonly hostile?: boolean },
): EventLog {
  let opened: Promise<LoggedEvent[]> | undefined
  let templates: PastEvent[] = []
  let next = Number.POSITIVE_INFINITY

  const pause = () => MIN_PAUSE + fraction(random(4)) * (MAX_PAUSE - MIN_PAUSE)
  const here = (event: PastEvent): PastEvent => ({
    ...event,
    host: event.host.replace(/(?<=^|\.)example\.com$/, zone),
  })

  async function open(): Promise<LoggedEvent[]> {
    const past = (await pastEvents()).map(here)
    const all = hostile ? [hostileEvent(zone), ...past] : past
    const start = now()
    templates = newest(past)
    next = start + pause()
    return all
      .map(event => ({ ray_id: event.ray_id, at: wholeSeconds(start - event.ago_s * 1000), event }))
      .sort((a, b) => a.at - b.at)
  }

  function dripped(): LoggedEvent {
    const event = templates[Math.floor(fraction(random(4)) * templates.length)]!
    return { ray_id: Buffer.from(random(8)).toString('hex'), at: wholeSeconds(next), event }
  }

  return {
    async read() {
      opened ??= open()
      const log = await opened
      const at = now()
      if (next < at - DAY) next = at - DAY
      while (next <= at && templates.length > 0) {
        log.push(dripped())
        next += pause()
      }
      if (log.length > MAX_EVENTS) log.splice(0, log.length - MAX_EVENTS)
      // A clock that was set back has not come to the later ones yet.
      return log.filter(each => each.at <= at).reverse()
    },
  }
}
