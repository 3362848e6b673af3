import { appendFile, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { alone } from '../../lab/state/alone.js'
import { type EventMark, eventMark } from '../../lab/state/event-file.js'
import { readState, writeState } from '../../lab/state/state-folder.js'
import { type NewFact, type NumberedFact, readFact } from '../../protocol/room/facts.js'
import { isJsonObject, parsedJson, parsedObject } from '../../protocol/values.js'
import { type RoomProfile, roomFiles, teacherOf } from './profile.js'
import { askRoom } from './teacher-connection.js'

/** Facts on their way to the teacher, as `room-outbox.json` keeps them. */
export interface Outbox {
  /** The number of the next fact. */
  readonly next: number
  /** In their order. */
  readonly waiting: readonly NumberedFact[]
  /** The state of the progress that the facts went up to. */
  readonly reported: unknown
  /** The end of the events that the facts went up to. */
  readonly mark: EventMark
  /** `Last-Event-ID` of the messages of the teacher that were shown. */
  readonly heard?: string
}

/** Facts that wait at most. Further ones push the oldest out: nobody is away for that long. */
const MAX_WAITING = 5000

/** Facts in one request: the teacher's program takes 200, and 64 kB. */
const BATCH = 100

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0

/** Undefined for a text that is no outbox. */
function outboxIn(text: string): Outbox | undefined {
  const value = parsedObject(text)
  if (!isJsonObject(value?.mark) || !Array.isArray(value.waiting)) return undefined
  const { generation, offset } = value.mark
  const whole = isCount(value.next) && isCount(generation) && isCount(offset)
  return whole && value.waiting.every(each => readFact(each)) ? (value as unknown as Outbox) : undefined
}

/** The outbox of a participant. A broken or missing one is a new one. */
export async function readOutbox(home: string, learner: string | undefined): Promise<Outbox> {
  const text = await readState(home, roomFiles(learner).outbox)
  const kept = text === undefined ? undefined : outboxIn(text)
  // The teacher's program ignores numbers that it knows: a time is larger than all of them.
  return kept ?? { next: Date.now(), waiting: [], reported: undefined, mark: await eventMark(home) }
}

/** Changes the outbox, one program at a time. @param signal ends the wait for another program */
export async function changeOutbox(
  home: string,
  learner: string | undefined,
  change: (outbox: Outbox) => Outbox | Promise<Outbox>,
  signal?: AbortSignal,
): Promise<Outbox> {
  const { outbox } = roomFiles(learner)
  const work = async () => {
    const old = await readOutbox(home, learner)
    const changed = await change(old)
    if (changed !== old) await writeState(home, outbox, `${JSON.stringify(changed)}\n`)
    return changed
  }
  return alone(home, outbox, work, signal && { signal })
}

/** Puts facts behind those that wait, each with its number. */
export function withFacts(outbox: Outbox, facts: readonly NewFact[]): Outbox {
  const numbered = facts.map((fact, i) => ({ n: outbox.next + i, ...fact }))
  return {
    ...outbox,
    next: outbox.next + facts.length,
    waiting: [...outbox.waiting, ...numbered].slice(-MAX_WAITING),
  }
}

/** How far the sending of facts went. `gone`: the teacher's program does not know the participant any more. */
export interface Sending {
  readonly waiting: number
  readonly gone?: true
}

/**
 * Sends the facts that wait, in their order, and keeps those that arrived in the log.
 * @throws TransportError where the teacher cannot be reached: facts wait
 */
export async function sendWaiting(
  home: string,
  learner: string | undefined,
  room: RoomProfile,
  signal: AbortSignal,
): Promise<Sending> {
  let { waiting } = await readOutbox(home, learner)
  while (waiting.length > 0) {
    const facts = waiting.slice(0, BATCH)
    const { status, json } = await askRoom(teacherOf(room), {
      method: 'POST',
      path: '/room/facts',
      token: room.token,
      body: { facts },
      signal,
    })
    if (status === 401) return { waiting: waiting.length, gone: true }
    const wrong = isJsonObject(json) && status === 400 ? facts[Number(json.fact)] : undefined
    if (wrong !== undefined) {
      // A teacher's program of another version may know fewer facts. The others count all the same.
      const without = ({ waiting, ...old }: Outbox) => ({
        ...old,
        waiting: waiting.filter(({ n }) => n !== wrong.n),
      })
      waiting = (await changeOutbox(home, learner, without, signal)).waiting
      continue
    }
    const kept = isJsonObject(json) && isCount(json.n) ? json.n : undefined
    if (status !== 200 || kept === undefined) return { waiting: waiting.length }
    // The sending runs beside other programs, which may have added facts or sent the same ones.
    const arrived = facts.filter(({ n }) => n <= kept)
    if (arrived.length === 0) return { waiting: waiting.length }
    const changed = await changeOutbox(
      home,
      learner,
      async old => {
        const first = old.waiting[0]?.n ?? Number.POSITIVE_INFINITY
        await keepSent(
          home,
          learner,
          arrived.filter(({ n }) => n >= first),
        )
        return { ...old, waiting: old.waiting.filter(({ n }) => n > kept) }
      },
      signal,
    )
    waiting = changed.waiting
  }
  return { waiting: 0 }
}

/** Bytes of the log from which on its older half is dropped. */
const MAX_LOG = 1024 * 1024

async function keepSent(
  home: string,
  learner: string | undefined,
  facts: readonly NumberedFact[],
): Promise<void> {
  if (facts.length === 0) return
  const { sent } = roomFiles(learner)
  const file = join(home, sent)
  const lines = facts.map(fact => `${JSON.stringify(fact)}\n`).join('')
  const { size = 0 } = (await stat(file).catch(() => undefined)) ?? {}
  if (size < MAX_LOG) return appendFile(file, lines, { mode: 0o600 })
  const half = (await readFile(file, 'utf8')).slice(-MAX_LOG / 2)
  await writeState(home, sent, half.slice(half.indexOf('\n') + 1) + lines)
}

/** The facts that were sent, oldest first, and those that wait. */
export async function allFacts(
  home: string,
  learner: string | undefined,
): Promise<{ readonly sent: readonly NumberedFact[]; readonly waiting: readonly NumberedFact[] }> {
  const text = (await readState(home, roomFiles(learner).sent)) ?? ''
  const sent = text.split('\n').flatMap(line => readFact(parsedJson(line)) ?? [])
  return { sent, waiting: (await readOutbox(home, learner)).waiting }
}
