import type { EventBus } from '../protocol/events.js'
import type { NumberedEvent, RecentEvents } from '../servers/authorization-server/settings.js'

/** Most events that are kept. */
const MAX_KEPT = 100

/** Numbers the events of a bus, and keeps the latest. */
export function keepRecentEvents(bus: Pick<EventBus, 'subscribe'>): RecentEvents {
  const kept: NumberedEvent[] = []
  let latest = 0
  const listeners = new Set<(event: NumberedEvent) => void>()
  bus.subscribe(event => {
    const numbered = { number: ++latest, event }
    kept.push(numbered)
    if (kept.length > MAX_KEPT) kept.shift()
    for (const listener of listeners) listener(numbered)
  })
  return {
    after: number => kept.filter(each => number > latest || each.number > number),
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
