import { builtInClient, type LabConfig, labConfigFrom } from '../../lab/lab-file/config.js'
import { seatLabFile } from '../../lab/lab-file/seats.js'
import { TransportError, UsageError, UserError } from '../../protocol/errors.js'
import type { LabEvent } from '../../protocol/events.js'
import type { StreamEvent } from '../../protocol/http/event-stream.js'
import { type LabDocument, readLabDocument } from '../../protocol/room/lab-document.js'
import { isJsonObject, parsedJson } from '../../protocol/values.js'
import { type RoomProfile, readRoom, teacherOf } from './profile.js'
import { ROOM } from './room-name.js'
import { keepReading, readRoomStream } from './room-stream.js'
import { askRoom } from './teacher-connection.js'

/** Milliseconds that a command waits for the document. */
const PATIENCE = 10_000

/** The learner of this process may be in a room of their own. */
const learnerOf = (env: NodeJS.ProcessEnv): string | undefined => env.OAUTH_LAB_LEARNER || undefined

const OWN_LAB = 'Without --server and OAUTH_LAB_SERVER you use a lab of your own.'

/**
 * Asks the teacher's program for the accounts of this participant. Nothing of the answer is kept on this computer.
 * @returns undefined for a room without a lab
 * @throws TransportError where the teacher cannot be reached; UserError for an answer that cannot be used
 */
export async function fetchLabDocument(room: RoomProfile): Promise<LabDocument | undefined> {
  const { status, json } = await askRoom(teacherOf(room), {
    method: 'GET',
    path: '/room/lab',
    token: room.token,
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(error => {
    if (!(error instanceof TransportError)) throw error
    const { message, code, hints } = error
    throw new TransportError(`the lab of the room ${room.room}: ${message}`, code, [...hints, OWN_LAB])
  })
  if (status === 404) return undefined
  if (status === 401) {
    throw new UserError(
      `the teacher’s program does not know you in the room ${room.room} any more`,
      'refused',
      ['Leave, and join again with the line of the teacher’s screen:  oauth-lab leave', OWN_LAB],
    )
  }
  const document = status === 200 ? readLabDocument(json) : undefined
  if (document !== undefined) return document
  throw new UserError(`the workshop answered ${status}, with something that is no lab`, 'refused', [
    'The workshop may be of another version of oauth-lab. Install the one that the teacher hands out.',
    OWN_LAB,
  ])
}

/** The lab of a room, as one participant may use it. */
export interface RoomLab {
  readonly document: LabDocument
  readonly config: LabConfig
  readonly room: RoomProfile
}

/** True for the address of another port at the teacher's computer. */
function isAtTeacher(server: string, room: RoomProfile): boolean {
  const { host } = teacherOf(room)
  return new URL(server).hostname.replace(/^\[(.*)\]$/, '$1') === host.toLowerCase()
}

/** The accounts of the participant as a lab file. The key of the API, which has no owner, is the teacher's. */
async function configOf({ client, user, cluster, dns }: LabDocument): Promise<LabConfig> {
  const seat = {
    name: user.username,
    clientSecret: client.client_secret,
    password: user.password,
    clusterToken: cluster.token,
    dnsToken: dns.token,
  }
  const config = await labConfigFrom(seatLabFile(seat, await builtInClient('demo')), 'the lab of the room')
  const { key: _, email: __, ...api } = config.effective.dns ?? {}
  return { ...config, ownClient: client.client_id, effective: { ...config.effective, dns: api } }
}

/**
 * Finds the lab that `--server` names, where it is that of the room: by the word `room`, or by its address.
 * @returns undefined for another lab
 * @throws UsageError outside of a room, and in a room without a lab; as fetchLabDocument
 */
export async function roomLab(
  home: string,
  server: string,
  serverBy: string,
  env: NodeJS.ProcessEnv = process.env,
): Promise<RoomLab | undefined> {
  const isNamed = server === ROOM
  const room = await readRoom(home, learnerOf(env))
  if (room === undefined) {
    if (!isNamed) return undefined
    throw new UsageError(
      `${serverBy} ${ROOM} means the lab of the room that you are in, and you are in none`,
      ['Join the room of your teacher:  oauth-lab join ADDRESS CODE', OWN_LAB],
    )
  }
  if (!isNamed && !isAtTeacher(server, room)) return undefined
  const document = await fetchLabDocument(room)
  if (document !== undefined && (isNamed || document.urls.authorization === server))
    return { document, config: await configOf(document), room }
  if (!isNamed) return undefined
  throw new UsageError(`the room ${room.room} has no lab`, [
    'The teacher begins one with:  oauth-lab workshop --lab',
    OWN_LAB,
  ])
}

/** The event in the data of a stream; undefined for anything else. */
function readEvent(data: string): LabEvent | undefined {
  const value = parsedJson(data)
  const isEvent = isJsonObject(value) && typeof value.type === 'string' && typeof value.at === 'string'
  return isEvent ? (value as unknown as LabEvent) : undefined
}

/**
 * Follows the events of the participant's own requests until the signal. A lost connection is made again, after the last event that came.
 * @param opened called when the first stream is open or was refused, and again with what comes later
 */
export async function followLab(
  room: RoomProfile,
  listener: (event: LabEvent) => void,
  signal: AbortSignal,
  opened: () => void = () => {},
): Promise<void> {
  let last: string | undefined
  function came(events: readonly StreamEvent[]): void {
    opened()
    for (const { id, data } of events) {
      const event = readEvent(data)
      if (event === undefined) continue
      last = id ?? last
      listener(event)
    }
  }
  async function read() {
    const end = await readRoomStream(room, { path: '/room/lab/events', last, signal, came })
    return end === 'missing' ? 'gone' : end
  }
  await keepReading(signal, read, opened)
  opened()
}
