import { setTimeout as sleep } from 'node:timers/promises'
import { alone } from '../../lab/state/alone.js'
import { TransportError } from '../../protocol/errors.js'
import { MAX_SENTENCE, type RoomMessage, type RoomPhase } from '../../protocol/room/messages.js'
import { isJsonObject } from '../../protocol/values.js'
import { changeOutbox, readOutbox } from './outbox.js'
import { isPhase, type RoomProfile, readRoom, roomFiles, teacherOf, writeRoom } from './profile.js'
import { openRoom } from './teacher-connection.js'

/** Milliseconds to connect, and without a sign of life until a connection counts as lost. The teacher’s program sends one every 15 s. */
const CONNECT = 10_000
const SILENCE = 40_000

/** Milliseconds before the first try to connect again, and at most between two tries. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000

/** Characters of an unfinished event: a sentence is short. */
const MAX_EVENT = 64 * 1024

/** An event of a stream (HTML §9.2), its data parsed. */
interface StreamEvent {
  readonly id?: string
  readonly message: RoomMessage
}

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

/** The message in the lines of an event; undefined for comments and unknown messages. */
function eventIn(block: string): StreamEvent | undefined {
  const fields = block.split('\n').map(line => /^(\w+): ?(.*)$/.exec(line))
  const valuesOf = (name: string) => fields.flatMap(field => (field?.[1] === name ? [field[2] ?? ''] : []))
  const id = valuesOf('id').at(-1)
  try {
    const message = readMessage(JSON.parse(valuesOf('data').join('\n')))
    return message && { message, ...(id !== undefined && /^\d{1,15}$/.test(id) && { id }) }
  } catch {
    return undefined
  }
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

/** How a stream of messages ended. `gone`: the teacher’s program does not know the participant any more. */
type StreamEnd = 'open' | 'refused' | 'gone'

/** Reads one stream of messages to its end. @throws TransportError where none was open */
async function readStream(
  home: string,
  learner: string | undefined,
  room: RoomProfile,
  { message: hear, online }: RoomListener,
  signal: AbortSignal,
): Promise<StreamEnd> {
  const silence = new AbortController()
  let watch = setTimeout(() => silence.abort(), CONNECT)
  function alive(): void {
    clearTimeout(watch)
    watch = setTimeout(() => silence.abort(), SILENCE)
  }
  const { heard } = await readOutbox(home, learner)
  try {
    const { response, close } = await openRoom(teacherOf(room), {
      method: 'GET',
      path: '/room/messages',
      token: room.token,
      headers: { accept: 'text/event-stream', ...(heard !== undefined && { 'last-event-id': heard }) },
      signal: AbortSignal.any([signal, silence.signal]),
    })
    try {
      if (response.statusCode !== 200) return response.statusCode === 401 ? 'gone' : 'refused'
      online(true)
      for await (const event of eventsOf(response.setEncoding('utf8'), alive)) {
        const { id, message } = event
        if (message.type === 'phase') await keepPhase(home, learner, room.token, message)
        await hear(message)
        if (id !== undefined) await changeOutbox(home, learner, old => ({ ...old, heard: id }))
      }
      return 'open'
    } finally {
      close()
    }
  } finally {
    clearTimeout(watch)
  }
}

/** The events of a stream, until it ends in whichever way. @param alive called for each sign of life */
async function* eventsOf(stream: AsyncIterable<string>, alive: () => void): AsyncGenerator<StreamEvent> {
  let waiting = ''
  const chunks = stream[Symbol.asyncIterator]()
  for (;;) {
    alive()
    const { done, value } = await chunks.next().catch(() => ({ done: true as const, value: undefined }))
    if (done) return
    waiting += value.replaceAll('\r', '')
    const blocks = waiting.split('\n\n')
    waiting = blocks.pop() ?? ''
    if (waiting.length > MAX_EVENT) return
    for (const block of blocks) {
      const event = eventIn(block)
      if (event !== undefined) yield event
    }
  }
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
  let pause = FIRST_PAUSE
  while (!signal.aborted) {
    const end = await readStream(home, learner, room, listener, signal).catch((error: unknown): StreamEnd => {
      if (error instanceof TransportError || signal.aborted) return 'refused'
      throw error
    })
    if (end === 'gone') return true
    if (signal.aborted) return false
    listener.online(false)
    if (end === 'open') pause = FIRST_PAUSE
    // Thirty programs do not come back in the same moment.
    await sleep(pause * (0.5 + Math.random()), undefined, { signal }).catch(() => {})
    pause = Math.min(pause * 2, LONGEST_PAUSE)
  }
  return false
}
