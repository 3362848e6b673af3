/**
 * Something that happened on a server, in the past tense. `type` comes first in its JSON. Each site declares its
 * own events as a union of this shape. Events hold no secret: codes and tokens appear cut in the middle.
 */
export interface LabEvent {
  readonly type: string
  /** ISO 8601 UTC, from the lab's clock. */
  readonly at: string
  readonly [member: string]: unknown
}

/** An event before its time is put on. */
export type NewEvent = { readonly type: string; readonly [member: string]: unknown }
