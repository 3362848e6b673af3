import { setTimeout as sleep } from 'node:timers/promises'
import { TransportError } from '../../protocol/errors.js'
import { type StreamEvent, streamEvents } from '../../protocol/http/event-stream.js'
import { type RoomProfile, teacherOf } from './profile.js'
import { askRoom } from './teacher-connection.js'

/** Milliseconds to connect, and without a sign of life until a connection counts as lost. The teacher’s program sends one every 15 s. */
const CONNECT = 10_000
const SILENCE = 40_000

/** Milliseconds before the first try to connect again, and at most between two tries. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** How a stream ended. `gone`: the teacher’s program does not know the participant any more; `missing`: it has no such stream. */
export type StreamEnd = 'open' | 'refused' | 'gone' | 'missing'

/** A stream of the teacher's program to one participant. */
interface RoomStream {
  readonly path: string
  /** The id of the last event that came; the stream goes on after it. */
  readonly last: string | undefined
  readonly signal: AbortSignal
  /** Called with the events of each sign of life; there may be none. Ids are numbers. */
  readonly came: (events: readonly StreamEvent[]) => void
}

const withNumber = ({ id, data }: StreamEvent): StreamEvent =>
  id !== undefined && /^\d{1,15}$/.test(id) ? { id, data } : { data }

/** Reads one stream to its end, until the signal, or until it is silent for too long. */
export async function readRoomStream(
  room: RoomProfile,
  { path, last, signal, came }: RoomStream,
): Promise<StreamEnd> {
  const silence = new AbortController()
  let watch = setTimeout(() => silence.abort(), CONNECT)
  let isOpen = false
  function events(text: string): void {
    clearTimeout(watch)
    watch = setTimeout(() => silence.abort(), SILENCE)
    isOpen = true
    came(streamEvents(text).map(withNumber))
  }
  try {
    const { status } = await askRoom(teacherOf(room), {
      method: 'GET',
      path,
      token: room.token,
      headers: [
        ['accept', 'text/event-stream'],
        ...(last === undefined ? [] : [['last-event-id', last] as const]),
      ],
      signal: AbortSignal.any([signal, silence.signal]),
      events,
    })
    if (status === 401) return 'gone'
    if (status === 404) return 'missing'
  } catch (error) {
    if (!(error instanceof TransportError)) throw error
  } finally {
    clearTimeout(watch)
  }
  return isOpen ? 'open' : 'refused'
}

/**
 * Reads a stream again and again until the signal, with pauses that grow.
 * @param read reads one stream
 * @param lost called when a stream has ended
 * @returns true when the participant is gone
 */
export async function keepReading(
  signal: AbortSignal,
  read: () => Promise<StreamEnd>,
  lost: () => void,
): Promise<boolean> {
  let pause = FIRST_PAUSE
  while (!signal.aborted) {
    const end = await read()
    if (end === 'gone') return true
    if (signal.aborted) return false
    lost()
    if (end === 'open') pause = FIRST_PAUSE
    // Thirty programs do not come back in the same moment.
    await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    pause = Math.min(pause * 2, LONGEST_PAUSE)
  }
  return false
}
