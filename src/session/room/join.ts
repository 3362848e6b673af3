import { UsageError, UserError } from '../../protocol/errors.js'
import { urlHost } from '../../protocol/http/address.js'
import { readRoomAddress } from '../../protocol/room/address.js'
import { readJoinCode } from '../../protocol/room/join-code.js'
import { isPhase, type Joined, MAX_NAME, type RoomFile } from '../../protocol/room/messages.js'
import { isJsonObject } from '../../protocol/values.js'
import { forgetRoom, type RoomProfile, readRoom, teacherOf } from './profile.js'
import { askRoom, type Teacher } from './teacher-connection.js'

/** Milliseconds that a person waits for the teacher’s program to let them in. */
const PATIENCE = 10_000

/** Files of a teacher, and bytes of each one (`learn --lessons`). */
const MAX_FILES = 101
const MAX_BYTES = 256 * 1024

const isText = (value: unknown, limit: number): value is string =>
  typeof value === 'string' && value.length <= limit

const isFile = (value: unknown): value is RoomFile =>
  isJsonObject(value) &&
  isText(value.name, 100) &&
  /^\w[\w.-]*\.ya?ml$/.test(value.name) &&
  isText(value.text, MAX_BYTES)

/** True for the answer of a workshop that let somebody in. */
function isJoined(value: unknown): value is Joined {
  if (!isJsonObject(value) || !isJsonObject(value.room)) return false
  const { who, name, token, seed, phase, room } = value
  return (
    isText(who, 40) &&
    isText(name, 4 * MAX_NAME) &&
    isText(token, 200) &&
    /^[\w.~+/=-]+$/.test(token) &&
    Number.isSafeInteger(seed) &&
    isPhase(phase) &&
    isText(room.name, 200) &&
    (room.course === undefined || isText(room.course, 40)) &&
    Array.isArray(room.files) &&
    room.files.length <= MAX_FILES &&
    room.files.every(isFile)
  )
}

const OTHER_VERSION = [
  'The workshop may be of another version of oauth-lab. Install the one that the teacher hands out, and join again.',
]

/** The reason for which a workshop lets nobody in, as people say it. */
function refusal(status: number, json: unknown, retryAfter: number | undefined): UserError {
  const error = isJsonObject(json) ? json.error : undefined
  switch (error) {
    case 'wrong_code':
      return new UserError('the workshop does not know this code', 'refused', [
        'Rule: the last characters of the code are the secret of the room. Compare them with the teacher’s screen.',
        'A teacher who began a new workshop has a new code.',
      ])
    case 'room_full':
      return new UserError('the workshop is full', 'refused', [
        'Rule: a room takes 500 people, and 200 of one network, those who left included. A new room is empty:  oauth-lab workshop forget',
      ])
    case 'room_ended':
      return new UserError('the workshop has ended', 'refused', [
        'Your own progress goes on:  oauth-lab learn',
      ])
  }
  if (status === 429) {
    return new UserError('too many wrong codes came from this network', 'refused', [
      `Try again in ${retryAfter ?? 60} seconds.`,
    ])
  }
  return new UserError(`the workshop answered ${status}, and let nobody in`, 'refused', OTHER_VERSION)
}

/** An address and a code, as people type them. @throws UsageError */
function teacherIn(address: string, code: string): { teacher: Teacher; secret: string } {
  const place = readRoomAddress(address)
  if (place === undefined) {
    throw new UsageError(`${JSON.stringify(address)} is not the address of a workshop`, [
      'Type the line of the teacher’s screen, such as:  oauth-lab join 192.0.2.7:8448 K7QM-3D9X-…',
    ])
  }
  const read = readJoinCode(code)
  if (read === undefined) {
    throw new UsageError('the code is not whole: it has six groups of four letters and digits', [
      'Rule: it holds the fingerprint of the teacher’s certificate and the secret of the room, so none may be left out.',
      'Type it as the teacher’s screen shows it. O is 0, I and L are 1.',
    ])
  }
  const { fingerprint, secret } = read
  return { teacher: { ...place, fingerprint }, secret: Buffer.from(secret).toString('hex') }
}

/** A room that let somebody in. */
export interface JoinedRoom {
  readonly profile: RoomProfile
  /** The lessons of the teacher; none: the built-in ones. */
  readonly files: readonly RoomFile[]
  /** True for a row that was there before. */
  readonly again: boolean
}

/**
 * Joins a room, or comes back to the same row of it. It writes nothing.
 * @param name left out: the workshop gives a number
 * @throws UsageError in another room; FalseTeacherError, another TransportError; UserError for a refusal
 */
export async function joinRoom(
  home: string,
  learner: string | undefined,
  typed: { readonly address: string; readonly code: string; readonly name?: string | undefined },
): Promise<JoinedRoom> {
  const { teacher, secret } = teacherIn(typed.address, typed.code)
  const before = await readRoom(home, learner)
  if (
    before !== undefined &&
    !before.fingerprint.startsWith(Buffer.from(teacher.fingerprint).toString('hex'))
  ) {
    throw new UsageError(
      `you are ${before.name} in the room ${before.room} already, and this code is of another one`,
      ['Leave it first:  oauth-lab leave'],
    )
  }
  const { status, json, retryAfter, fingerprint } = await askRoom(teacher, {
    method: 'POST',
    path: '/room/join',
    token: before?.token,
    body: { secret, ...(typed.name !== undefined && { name: typed.name }) },
    signal: AbortSignal.timeout(PATIENCE),
  })
  if (status !== 200 && status !== 201) throw refusal(status, json, retryAfter)
  if (!isJoined(json))
    throw new UserError('the workshop answered with something that is no room', 'refused', OTHER_VERSION)
  const { who, name, token, seed, room, phase } = json
  const profile: RoomProfile = {
    address: `${urlHost(teacher.host)}:${teacher.port}`,
    fingerprint: Buffer.from(fingerprint).toString('hex'),
    token,
    who,
    name,
    room: room.name,
    seed,
    ...(room.course !== undefined && { course: room.course }),
    lessons: room.files.length > 0,
    phase,
  }
  return { profile, files: room.files, again: before?.token === token }
}

/**
 * Leaves a room. On this computer it ends also where the teacher cannot be reached.
 * @returns true when the teacher's program knows
 */
export async function leaveRoom(
  home: string,
  learner: string | undefined,
  room: RoomProfile,
): Promise<boolean> {
  const request = { method: 'DELETE', path: '/room/me', token: room.token } as const
  const known = await askRoom(teacherOf(room), {
    ...request,
    signal: AbortSignal.timeout(PATIENCE / 2),
  }).then(
    ({ status }) => status === 204 || status === 401,
    () => false,
  )
  await forgetRoom(home, learner)
  return known
}
