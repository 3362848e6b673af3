import { alone } from '../../lab/state/alone.js'
import type { StreamEvent } from '../../protocol/http/event-stream.js'
import { isPhase, MAX_SENTENCE, type RoomMessage, type RoomPhase } from '../../protocol/room/messages.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'
import { changeOutbox, readOutbox } from './outbox.js'
import { type RoomProfile, readRoom, roomFiles, writeRoom } from './profile.js'
import { keepReading, readRoomStream, type StreamEnd } from './room-stream.js'

/** Reads a message. Undefined for those of later versions, and for anything else. */
function readMessage(value: unknown): RoomMessage | undefined {
  if (!isJsonObject(value)) return undefined
  const { type, task, done, of, text, to } = value
  const isRight =
    type === 'hint' ||
    type === 'end' ||
    (type === 'phase' && isPhase(value)) ||
    (type === 'waiting' && typeof task === 'string' && Number.isInteger(done) && Number.isInteger(of)) ||
    (type === 'say' &&
      typeof text === 'string' &&
      text.length <= MAX_SENTENCE &&
      (to === 'all' || to === 'you'))
  return isRight ? (value as unknown as RoomMessage) : undefined
}

/** The parts that hear of a room. */
export interface RoomListener {
  readonly message: (message: RoomMessage) => void | Promise<void>
  /** The connection was made, or lost. */
  readonly online: (online: boolean) => void
}

/** Keeps the phase for the next start of the program. */
async function keepPhase(
  home: string,
  learner: string | undefined,
  token: string,
  phase: RoomPhase,
): Promise<void> {
  await alone(home, roomFiles(learner).profile, async () => {
    const now = await readRoom(home, learner)
    const { lesson, pace, open } = phase
    const kept = { ...(lesson !== undefined && { lesson }), pace, open }
    if (now?.token === token && JSON.stringify(now.phase) !== JSON.stringify(kept))
      await writeRoom(home, learner, { ...now, phase: kept })
  })
}

/** Reads one stream of messages to its end. One message is heard after the other. */
async function readStream(
  home: string,
  learner: string | undefined,
  room: RoomProfile,
  { message: hear, online }: RoomListener,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const failed = new AbortController()
  let isOpen = false
  let hearing = Promise.resolve()
  const { heard } = await readOutbox(home, learner)

  async function take({ id, data }: StreamEvent): Promise<void> {
    const message = readMessage(parsedJson(data))
    if (signal.aborted || message === undefined) return
    if (message.type === 'phase') await keepPhase(home, learner, room.token, message)
    await hear(message)
    if (id !== undefined) await changeOutbox(home, learner, old => ({ ...old, heard: id }))
  }
  function came(events: readonly StreamEvent[]): void {
    if (!isOpen) online(true)
    isOpen = true
    for (const event of events) hearing = hearing.then(() => take(event))
    // An error ends the stream, and is thrown below.
    hearing.catch(() => failed.abort())
  }

  try {
    return await readRoomStream(room, {
      path: '/room/messages',
      last: heard,
      signal: AbortSignal.any([signal, failed.signal]),
      came,
    })
  } finally {
    await hearing
  }
}

/** Milliseconds that a command which begins waits for the phase. */
const PHASE_PATIENCE = 1000

/** Asks where the room is now. Returns the profile with that phase; as it was where the teacher does not answer in time. */
export async function atPresent(
  home: string,
  learner: string | undefined,
  room: RoomProfile,
): Promise<RoomProfile> {
  const heard = new AbortController()
  let { phase } = room
  const message = (first: RoomMessage) => {
    if (first.type === 'phase') phase = first
    heard.abort()
  }
  const signal = AbortSignal.any([heard.signal, AbortSignal.timeout(PHASE_PATIENCE)])
  await readStream(home, learner, room, { message, online: () => {} }, signal)
  return { ...room, phase }
}

/**
 * Listens to the teacher until the signal, or until the participant is gone from the room. A lost connection is made again, with pauses that grow; each
 * sentence comes once (`Last-Event-ID`).
 * @returns true when the teacher’s program does not know the participant any more
 */
export async function followRoom(
  home: string,
  learner: string | undefined,
  room: RoomProfile,
  listener: RoomListener,
  signal: AbortSignal,
): Promise<boolean> {
  const read = () => readStream(home, learner, room, listener, signal)
  return keepReading(signal, read, () => listener.online(false))
}
