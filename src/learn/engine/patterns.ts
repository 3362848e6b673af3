import type { KeptEvent } from '../../lab/state/event-file.js'
import type { Evidence, Matcher, Pattern } from '../model.js'

const tokens = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : typeof value === 'string' ? value.split(' ') : []

/** An absent member has the value undefined. */
function holds(value: unknown, wanted: Matcher): boolean {
  if (typeof wanted !== 'object') return value === wanted
  if ('has' in wanted) return tokens(value).includes(wanted.has)
  if ('not' in wanted) return value !== wanted.not
  if (typeof value !== 'string') return false
  return 'begins' in wanted ? value.startsWith(wanted.begins) : value.includes(wanted.includes)
}

export function fits(event: KeptEvent, { event: type, where = {} }: Pattern): boolean {
  return event.type === type && Object.entries(where).every(([name, wanted]) => holds(event[name], wanted))
}

/** In the order in which they happened. */
export function candidates(
  { events, withAnonymous }: Evidence,
  { anyone = false }: Pattern,
): readonly KeptEvent[] {
  return anyone ? withAnonymous : events
}
