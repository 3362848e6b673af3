import type { ShownWeak } from './rules/weak-modes.js'

/** The member that the bus of a weak lab adds to every event. */
export interface LabStamp {
  /** The weak modes of the lab: the defences that are switched off on purpose. `hidden` alone in a capstone. Absent for a strict lab. */
  readonly weak?: readonly ShownWeak[]
}

/** The members that the bus adds to an event of a request. */
export interface RequestStamp {
  /** The request that caused the event: a number from 1, unique among all listeners of the program. */
  readonly request?: number
  /** The request that caused this request, such as a request that needs keys and so causes their fetch. */
  readonly cause?: number
  /** The address that the request came from, without its port. An IPv4 address has its own form also on a listener for IPv6. */
  readonly remoteAddress?: string
  /** The learner whose program sent the request (`OAUTH_LAB_LEARNER`). */
  readonly learner?: string
}

/**
 * An event on a server, named in the past tense. `type` comes first in its JSON. Each site declares its own events
 * as a union of this shape. Events hold no secret: codes and tokens appear cut in the middle.
 */
export interface LabEvent extends RequestStamp, LabStamp {
  readonly type: string
  /** ISO 8601 UTC, from the lab's clock. */
  readonly at: string
  readonly [member: string]: unknown
}

/** An event before the bus stamps it. */
export type NewEvent = { readonly type: string; readonly [member: string]: unknown }

/** Longest text from outside in an event, in UTF-16 units. */
export const MAX_EVENT_TEXT = 200

/** Text from outside, bounded in length and well-formed, for an event. */
export function bounded(text: string, limit = MAX_EVENT_TEXT): string {
  return text.length <= limit ? text.toWellFormed() : `${text.slice(0, limit - 1).toWellFormed()}…`
}

/**
 * Text from outside for an event, where a name is expected that this server does not know. A long text of letters and
 * digits may be a secret in the wrong place, so it is cut in the middle.
 */
export function unknownName(text: string): string {
  return /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]{20,}$/.test(text) ? cut(text) : bounded(text)
}

/** Cuts a code or token in the middle, so that the rest is useless: `k3V9…Qm1`. */
export function cut(secret: string): string {
  return secret.length < 16 ? '…' : `${secret.slice(0, 4)}…${secret.slice(-3)}`.toWellFormed()
}

/** The events of one request. */
export interface RequestEvents {
  /** Number of the request in this program, from 1. */
  readonly id: number
  /** Publishes an event of this request. The bus adds `request`, and the origin of the request. */
  readonly publish: (event: NewEvent) => void
}

/** The one bus of a program. It stamps and bounds every event; listeners may keep what they get. */
export interface EventBus {
  /** Publishes an event that no request caused. */
  publish(event: NewEvent): void
  /**
   * Gives the next request its id. Ids are unique on this bus.
   * @param origin the request that caused this one, and the address that it came from
   */
  openRequest(origin?: Omit<RequestStamp, 'request'>): RequestEvents
  /** Returns the function that ends the subscription. */
  subscribe(listener: EventListener): () => void
}

/** @param json returns the JSON of the event, which is made once for all listeners that ask */
type EventListener = (event: LabEvent, json: () => string) => void

/** Returns a function that writes moments in ISO 8601. Those of one second differ in their end alone. */
function isoTimes(): (milliseconds: number) => string {
  let second = Number.NaN
  let start = ''
  return milliseconds => {
    const whole = Math.floor(milliseconds / 1000)
    if (whole !== second) {
      start = new Date(whole * 1000).toISOString().slice(0, -'000Z'.length)
      second = whole
    }
    return `${start}${String(Math.floor(milliseconds - whole * 1000)).padStart(3, '0')}Z`
  }
}

/**
 * @param now the lab's clock, in milliseconds since the epoch
 * @param weak the weak modes of the lab, which every event names; left out: none
 */
export function createBus(now: () => number, weak: readonly ShownWeak[] = []): EventBus {
  const mark: LabStamp | undefined = weak.length === 0 ? undefined : { weak }
  // Replaced, never changed: a listener that subscribes during an event gets the next event first.
  let listeners: readonly EventListener[] = []
  let requests = 0
  const iso = isoTimes()

  function send(event: NewEvent, stamp?: RequestStamp): void {
    // In the JSON of an event the type comes first, then the time. No member of an event hides the modes of its lab.
    const at = iso(now())
    const stamped: LabEvent = Object.assign({ type: event.type, at }, stamp, mark, boundedEvent(event), mark)
    let text: string | undefined
    const json = () => {
      text ??= JSON.stringify(stamped)
      return text
    }
    for (const listener of listeners) listener(stamped, json)
  }

  return {
    publish: event => send(event),
    openRequest(origin) {
      const request = ++requests
      const stamp = { request, ...origin }
      return { id: request, publish: event => send(event, stamp) }
    },
    subscribe(listener) {
      listeners = [...listeners, listener]
      return () => {
        listeners = listeners.filter(each => each !== listener)
      }
    },
  }
}

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
