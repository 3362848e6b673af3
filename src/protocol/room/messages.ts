import { isJsonObject } from '../values.js'

/** When participants who have done a task go on to the next one. */
export type Pace =
  /** At once. */
  | { readonly kind: 'free' }
  /** Once this part of the people in the lesson has done the task: 1 is everybody, 0.8 most. */
  | { readonly kind: 'together'; readonly share: number }
  /** At this time (ISO 8601 UTC). */
  | { readonly kind: 'until'; readonly at: string }

/** True for a pace, whatever sent it. */
export function isPace(value: unknown): value is Pace {
  if (!isJsonObject(value)) return false
  const { kind, share, at } = value
  if (kind === 'together') return typeof share === 'number' && share > 0 && share <= 1
  return (
    kind === 'free' || (kind === 'until' && isText(at) && at.length < 40 && !Number.isNaN(Date.parse(at)))
  )
}

const isText = (value: unknown): value is string => typeof value === 'string'

/** The place of the whole room, which the teacher sets. */
export interface RoomPhase {
  /** The lesson that the room does; left out: each its own. A participant who is late starts there. */
  readonly lesson?: string
  readonly pace: Pace
  /** Tasks after which people may go on although the pace would hold them, as `lesson/task`. */
  readonly open: readonly string[]
}

/** True for the phase of a room, whatever sent it. */
export function isPhase(value: unknown): value is RoomPhase {
  if (!isJsonObject(value)) return false
  const { lesson, pace, open } = value
  return (lesson === undefined || isText(lesson)) && isPace(pace) && Array.isArray(open) && open.every(isText)
}

/**
 * A message of the teacher's program to one participant, an event of the stream GET /room/messages. The stream begins with the present phase. `id` orders
 * the sentences and hints, so that a participant who was away gets each once (Last-Event-ID).
 */
export type RoomMessage =
  | ({ readonly type: 'phase' } & RoomPhase)
  /** How many people of the lesson have done the task that this participant has done and waits at. */
  | { readonly type: 'waiting'; readonly task: string; readonly done: number; readonly of: number }
  /** A sentence of the teacher. `to` says who reads it. */
  | { readonly type: 'say'; readonly text: string; readonly to: 'all' | 'you' }
  /** The next hint of the present task, given by the teacher: it does not count as help that was taken. */
  | { readonly type: 'hint' }
  /** The room has ended. */
  | { readonly type: 'end' }

/** Most characters of a sentence of the teacher, and of the name of a participant. */
export const MAX_SENTENCE = 300
export const MAX_NAME = 40

/** A lesson of the teacher, or the `course.yaml`, as a participant gets it. */
export interface RoomFile {
  /** A name without folders. */
  readonly name: string
  readonly text: string
}

/** The answer to POST /room/join: who the participant is, and what the room does. */
export interface Joined {
  readonly who: string
  readonly name: string
  /** Bearer token of this participant: the key to one row of the board. */
  readonly token: string
  /** Draws the order of the answers and the logs of this participant. */
  readonly seed: number
  readonly room: {
    readonly name: string
    /** As `learn --course`; left out: all lessons. */
    readonly course?: string
    /** The lessons of the teacher; none: the built-in ones. */
    readonly files: readonly RoomFile[]
  }
  readonly phase: RoomPhase
}
