import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { alone } from '../../lab/state/alone.js'
import { readState, writeState } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import type { Room } from '../../servers/room/room.js'
import { type KeptFact, type RoomState, readKeptFact, readRoomState } from '../../servers/room/state.js'

const STATE = 'workshop.json'
const FACTS = 'workshop-facts.jsonl'

/** The lab file of a room with a lab: the accounts of its seats. */
export const LAB_FILE = 'workshop-lab.json'

/** The files of a room in the home of the teacher. */
export const ROOM_FILES = [STATE, FACTS, 'workshop-leaf.pem', LAB_FILE] as const

/** Milliseconds that changes gather before they are written. */
const PAUSE = 10

/** Milliseconds after which the room belongs to another program that runs. */
const PATIENCE = 2_000

/** A room of an earlier run. */
interface EarlierRoom {
  readonly state: RoomState
  /** Oldest first. */
  readonly facts: readonly KeptFact[]
}

/** Reads the room in the home of the teacher. @throws UsageError for a file that cannot be read */
export async function readRoom(home: string): Promise<EarlierRoom | undefined> {
  const text = await readState(home, STATE)
  if (text === undefined) return undefined
  const state = readRoomState(text)
  if (state === undefined) {
    throw new UsageError(`${join(home, STATE)} cannot be read`, [
      'Make a new room, with a new code:  oauth-lab workshop forget',
    ])
  }
  const lines = ((await readState(home, FACTS)) ?? '').split('\n')
  return { state, facts: lines.flatMap(line => readKeptFact(line) ?? []) }
}

/**
 * Works as the only program with the room of a home. A killed program keeps nobody waiting.
 * @throws UsageError while another program has it
 */
export async function withRoom<Result>(home: string, work: () => Promise<Result>): Promise<Result> {
  let began = false
  const begin = () => {
    began = true
    return work()
  }
  try {
    return await alone(home, 'workshop', begin, { signal: AbortSignal.timeout(PATIENCE) })
  } catch (error) {
    if (began || (error as Error).name !== 'AbortError') throw error
    throw new UsageError('the workshop of this computer runs already, in another terminal', [
      'End that one, or name another folder for this one:  OAUTH_LAB_HOME=/path/to/folder',
    ])
  }
}

/** Keeps a room in files while it changes. */
interface Keeper {
  /** Resolves once what happened so far is written. */
  kept(): Promise<void>
  close(): Promise<void>
}

/**
 * Writes each change of a room into the home of the teacher, those of a moment together.
 * @param failed called once, when the room can be kept no longer: it goes on without
 */
export async function keepRoom(home: string, room: Room, failed: (error: Error) => void): Promise<Keeper> {
  await writeState(home, STATE, JSON.stringify(room.state()))
  const file = await open(join(home, FACTS), 'a', 0o600)
  // A killed program may leave a torn line. Empty lines mean nothing.
  if ((await file.stat()).size > 0) await file.write('\n')
  let lines: string[] = []
  let isStale = false
  let isBroken = false
  let current: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  async function write(): Promise<void> {
    const facts = lines.join('')
    const stale = isStale
    lines = []
    isStale = false
    if (isBroken) return
    try {
      // The people come first: facts of unknown people mean nothing.
      if (stale) await writeState(home, STATE, JSON.stringify(room.state()))
      if (facts !== '') await file.appendFile(facts)
    } catch (error) {
      isBroken = true
      failed(error as Error)
    }
  }

  async function writeAfter(earlier: Promise<void>): Promise<void> {
    await earlier
    await sleep(PAUSE)
    current = next!
    next = undefined
    await write()
  }

  room.subscribe(change => {
    if (change.kind === 'online') return
    if (change.kind === 'fact') lines.push(`${JSON.stringify(change.kept)}\n`)
    else isStale = true
    next ??= writeAfter(current)
  })
  const kept = () => next ?? current
  return {
    kept,
    async close() {
      await kept()
      await file.close()
    },
  }
}
