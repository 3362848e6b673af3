import type { NewEvent } from './event.js'
import { bounded, MAX_EVENT_TEXT } from './outside-text.js'

/** Largest event, in bytes of JSON, without the members that the bus adds. */
export const MAX_EVENT_BYTES = 8000

/** Bounds of the parts of an event. */
interface Bounds {
  /** Longest text, in UTF-16 units. */
  readonly text: number
  /** Most members of a list, or of an object inside the event. */
  readonly members: number
  /** Deepest nesting of lists and objects inside the event; deeper values become `…`. */
  readonly depth: number
}

/** The usual bounds first, then tighter ones for events that are still too large. */
const BOUNDS: readonly [Bounds, ...Bounds[]] = [
  { text: MAX_EVENT_TEXT, members: 50, depth: 6 },
  { text: 100, members: 20, depth: 6 },
  { text: 50, members: 8, depth: 4 },
  { text: 20, members: 3, depth: 2 },
]
const [USUAL] = BOUNDS

/** Returns the most bytes that a text takes in JSON: each character may become six, as in `\u0000`. */
const mostBytes = (text: string): number => 6 * text.length + 4

/** Returns the most bytes that a value takes in JSON; Infinity when a part exceeds the usual bounds. */
function mostBytesOf(value: unknown, depth = 0): number {
  if (typeof value === 'string') {
    return value.length <= USUAL.text && value.isWellFormed() ? mostBytes(value) : Number.POSITIVE_INFINITY
  }
  if (typeof value !== 'object' || value === null) return 25
  if (depth > USUAL.depth) return Number.POSITIVE_INFINITY
  let sum = 2
  let members = 0
  if (Array.isArray(value)) {
    if (value.length > USUAL.members) return Number.POSITIVE_INFINITY
    for (const each of value) sum += mostBytesOf(each, depth + 1)
    return sum
  }
  for (const name in value) {
    members += 1
    if (name.length > USUAL.text) return Number.POSITIVE_INFINITY
    sum += mostBytes(name) + mostBytesOf((value as Record<string, unknown>)[name], depth + 1)
  }
  return depth > 0 && members > USUAL.members ? Number.POSITIVE_INFINITY : sum
}

const jsonBytes = (event: NewEvent): number => Buffer.byteLength(JSON.stringify(event))

function boundedValue(value: unknown, bounds: Bounds, depth: number): unknown {
  if (typeof value === 'string') return bounded(value, bounds.text)
  if (typeof value !== 'object' || value === null) return value
  if (depth > bounds.depth) return '…'
  if (Array.isArray(value)) {
    return value.slice(0, bounds.members).map(each => boundedValue(each, bounds, depth + 1))
  }
  const entries = Object.entries(value).slice(0, bounds.members)
  return Object.fromEntries(
    entries.map(([name, each]) => [bounded(name, bounds.text), boundedValue(each, bounds, depth + 1)]),
  )
}

function boundedMembers(event: NewEvent, bounds: Bounds): NewEvent {
  const members = Object.entries(event).map(([name, value]) => [name, boundedValue(value, bounds, 1)])
  return { type: event.type, ...Object.fromEntries(members) }
}

/**
 * Bounds every text and list of an event, at any depth, so that its JSON stays below MAX_EVENT_BYTES.
 * Returns the event itself when it is within the bounds, as nearly all are.
 */
export function boundedEvent(event: NewEvent): NewEvent {
  const most = mostBytesOf(event)
  if (most < MAX_EVENT_BYTES) return event
  if (most < Number.POSITIVE_INFINITY && jsonBytes(event) < MAX_EVENT_BYTES) return event
  let copy = event
  for (const bounds of BOUNDS) {
    copy = boundedMembers(event, bounds)
    if (jsonBytes(copy) < MAX_EVENT_BYTES) break
  }
  return copy
}
