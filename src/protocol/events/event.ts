import type { ShownWeak } from '../rules/weak-modes.js'

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
