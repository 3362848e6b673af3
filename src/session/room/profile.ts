import { unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { readState, writeState } from '../../lab/state/state-folder.js'
import { UsageError } from '../../protocol/errors.js'
import { readRoomAddress } from '../../protocol/room/address.js'
import { isPhase, type RoomPhase } from '../../protocol/room/messages.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'
import type { Teacher } from './teacher-connection.js'

/** A participant's place in a room, as `room.json` keeps it. */
export interface RoomProfile {
  /** Of the teacher's HTTPS port, as people type it. */
  readonly address: string
  /** The SHA-256 of the teacher's certificate, in hexadecimal digits. */
  readonly fingerprint: string
  /** The bearer token of the participant. */
  readonly token: string
  /** Such as `K7-03`. */
  readonly who: string
  readonly name: string
  /** The name of the room. */
  readonly room: string
  /** Draws the order of the answers and the logs. */
  readonly seed: number
  readonly course?: string
  /** True when the teacher handed out lessons. */
  readonly lessons: boolean
  /** The last phase that this program heard of. */
  readonly phase: RoomPhase
}

/** The name of a participant's file. Several learners may share a state folder, and each may be in a room. */
export const roomFile = (part: string, learner: string | undefined, end: string): string =>
  learner === undefined ? `${part}${end}` : `${part}.${learner}${end}`

/** The files of a participant, in the state folder. @throws UsageError for a learner whose name no file can have */
export function roomFiles(learner: string | undefined) {
  if (learner !== undefined && !/^[\w-]{1,40}$/.test(learner))
    throw new UsageError(`the learner ${JSON.stringify(learner)} has a name that no file can have`)
  return {
    profile: roomFile('room', learner, '.json'),
    outbox: roomFile('room-outbox', learner, '.json'),
    sent: roomFile('room-sent', learner, '.jsonl'),
    lessons: roomFile('room-lessons', learner, ''),
  }
}

/** Absolute path of the folder with the lessons of the teacher. */
export const roomLessons = (home: string, learner: string | undefined): string =>
  join(home, roomFiles(learner).lessons)

const isText = (value: unknown): value is string => typeof value === 'string'

function isProfile(value: unknown): value is RoomProfile {
  if (!isJsonObject(value)) return false
  const { address, fingerprint, seed, phase, course, lessons } = value
  return (
    isText(address) &&
    readRoomAddress(address) !== undefined &&
    isText(fingerprint) &&
    /^[\da-f]{64}$/.test(fingerprint) &&
    ['token', 'who', 'name', 'room'].every(member => isText(value[member])) &&
    Number.isSafeInteger(seed) &&
    (course === undefined || isText(course)) &&
    typeof lessons === 'boolean' &&
    isPhase(phase)
  )
}

/** The room that a learner is in; undefined outside of one. @throws UsageError for a file that this program did not write */
export async function readRoom(home: string, learner: string | undefined): Promise<RoomProfile | undefined> {
  const { profile } = roomFiles(learner)
  const text = await readState(home, profile)
  if (text === undefined) return undefined
  const value = parsedJson(text)
  if (isProfile(value)) return value
  throw new UsageError(`the room in ${profile} of the state folder ${home} cannot be read`, [
    'Leave it, and join again:  oauth-lab leave',
  ])
}

/** A killed program leaves the old or the new profile. */
export async function writeRoom(
  home: string,
  learner: string | undefined,
  profile: RoomProfile,
): Promise<void> {
  await writeState(home, roomFiles(learner).profile, `${JSON.stringify(profile, undefined, 2)}\n`)
}

/** Ends the membership on this computer: the token is forgotten, and nothing is sent any more. The log of sent facts stays. */
export async function forgetRoom(home: string, learner: string | undefined): Promise<void> {
  const { profile, outbox } = roomFiles(learner)
  for (const file of [profile, outbox]) await unlink(join(home, file)).catch(() => {})
}

/** The teacher's program, as the profile names it. */
export function teacherOf({ address, fingerprint }: RoomProfile): Teacher {
  return { ...readRoomAddress(address)!, fingerprint: Buffer.from(fingerprint, 'hex') }
}
