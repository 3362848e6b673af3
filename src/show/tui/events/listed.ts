import type { ListedEvent } from '../../../servers/cloudflare/client/events/event.js'
import { filterOf } from '../serve/filter.js'
import type { EventsState } from './state.js'

/** Fields that a filter can name; `ip:203.0.113.`, `action:drop`. */
const FIELDS = [
  ...(['action', 'source', 'country', 'ip', 'ip_class', 'host', 'uri', 'ua', 'colo', 'kind'] as const),
  ...(['method', 'rule_id', 'ray_id'] as const),
]

const names: ReadonlySet<string> = new Set(FIELDS)

/** Events that a filter lets through. */
export interface Listed {
  readonly events: readonly ListedEvent[]
  /** Numbers of them. */
  readonly numbers: readonly number[]
}

function found({ events, first, filter }: EventsState): Listed {
  if (filter === '') return { events, numbers: events.map((_, i) => first + i) }
  const fits = filterOf(filter, names)
  const shown = events.flatMap((event, i) => {
    const fields = Object.fromEntries(FIELDS.map(field => [field, event[field]]))
    return fits({ fields, text: Object.values(fields).join(' ') }) ? [[event, first + i] as const] : []
  })
  return { events: shown.map(([event]) => event), numbers: shown.map(([, number]) => number) }
}

let last: { readonly of: EventsState; readonly listed: Listed } | undefined

/** The listed events, oldest first. The result for the same events and filter is kept. */
export function listed(state: EventsState): Listed {
  if (last?.of.events === state.events && last.of.filter === state.filter) return last.listed
  last = { of: state, listed: found(state) }
  return last.listed
}

/** Index of the event that the keys are at. One that is gone or filtered out gives way to the next. */
export function cursorIndex({ cursor }: EventsState, { numbers }: Listed): number {
  const { at } = cursor
  const end = Math.max(0, numbers.length - 1)
  if (at === undefined) return end
  const index = numbers.findIndex(number => number >= at)
  return index < 0 ? end : index
}

/** The event that the keys are at; undefined where none is listed. */
export function selected(state: EventsState): ListedEvent | undefined {
  const list = listed(state)
  return list.events[cursorIndex(state, list)]
}
