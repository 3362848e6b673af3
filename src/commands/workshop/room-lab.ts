import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { builtInClient, type LabConfig, loadLabConfig } from '../../lab/lab-file/config.js'
import { newSeat, roomLabFile, type Seat, seatClient, seatsIn } from '../../lab/lab-file/seats.js'
import { type LabPorts, LISTENERS } from '../../lab/listening/listeners.js'
import type { Lab } from '../../lab/model.js'
import { openEventFile } from '../../lab/state/event-file.js'
import { recordRunningLab, removeRunningLab } from '../../lab/state/running.js'
import { readState, writeState } from '../../lab/state/state-folder.js'
import { TransportError } from '../../protocol/errors.js'
import { participantId } from '../../protocol/room/join-code.js'
import type { LabDocument } from '../../protocol/room/lab-document.js'
import { labFeed } from '../../servers/room/owners.js'
import { MAX_PEOPLE } from '../../servers/room/room.js'
import type { RoomLab } from '../../servers/room/room-site.js'
import { LAB_FILE } from './keep-room.js'

/** The parts of a lab that a room uses, in the order of their usual ports. */
export const PARTS = ['authorization', 'http', 'resource', 'cluster', 'dns'] as const

/** The lab of a room, which runs in the program of the teacher. */
export interface RunningRoomLab extends RoomLab {
  /** The address of its authorization server. */
  readonly server: string
  stop(): Promise<void>
}

/** The name of a seat: clients, users and namespaces have it in lower case. */
const seatName = (who: string): string => who.toLowerCase()

/**
 * Reads the lab file of the room, and writes it where there is none for these participants. A room that goes on has the same accounts.
 * @throws UsageError for a file that cannot be used
 */
async function ensureLabFile(home: string, people: readonly string[]): Promise<LabConfig> {
  const file = join(home, LAB_FILE)
  const names = people.map(seatName)
  if ((await readState(home, LAB_FILE)) !== undefined) {
    const config = await loadLabConfig(file)
    // A room with a new certificate has a new code, and new names.
    if (seatsIn(config.effective).has(names[0]!)) return config
  }
  const seats = names.map(name => newSeat(name, randomBytes))
  const content = roomLabFile(newSeat('teacher', randomBytes), seats, await builtInClient('demo'))
  await writeState(home, LAB_FILE, `${JSON.stringify(content)}\n`)
  return loadLabConfig(file)
}

const portsFrom = (portOf: (part: (typeof PARTS)[number]) => number): LabPorts =>
  Object.fromEntries(PARTS.map(part => [part, portOf(part)])) as unknown as LabPorts

/** Starts the lab on its usual ports; where one of them is busy, on free ones. */
async function startOn(address: string, home: string, config: LabConfig): Promise<Lab> {
  const { startLab } = await import('../../lab/lab.js')
  const start = (ports: LabPorts) => startLab({ config, home, host: address, ports })
  try {
    return await start(portsFrom(part => LISTENERS[part].port))
  } catch (error) {
    if (!(error instanceof TransportError) || error.code !== 'EADDRINUSE') throw error
    return start(portsFrom(() => 0))
  }
}

function documentOf({ urls, caPem }: Lab, seat: Seat): LabDocument {
  const { name, clientSecret, password, clusterToken, dnsToken } = seat
  return {
    urls: Object.fromEntries(PARTS.map(part => [part, urls[part]])) as unknown as LabDocument['urls'],
    ca: caPem,
    client: { client_id: seatClient(name), client_secret: clientSecret },
    user: { username: name, password },
    cluster: { namespace: name, token: clusterToken },
    dns: { token: dnsToken },
  }
}

/**
 * Starts the lab of a room on its address, with an account for everybody who may join. It is recorded as a running lab, so that the commands of the teacher
 * use it, and its events are kept in the home as those of `serve`.
 * @param code of the room
 * @param narrate writes a line for the teacher
 * @throws UsageError, TransportError
 */
export async function startRoomLab(
  { home, address, code }: { readonly home: string; readonly address: string; readonly code: string },
  narrate: (line: string) => void,
): Promise<RunningRoomLab> {
  const people = Array.from({ length: MAX_PEOPLE }, (_, i) => participantId(code, i + 1))
  const config = await ensureLabFile(home, people)
  const seats = seatsIn(config.effective)
  const whoByName = new Map(
    people.flatMap(who => [seatName(who), seatClient(seatName(who))].map(name => [name, who] as const)),
  )
  const lab = await startOn(address, home, config)
  try {
    const eventFile = await openEventFile(home, {
      failed: ({ message }) => narrate(`warning: the events of the lab are kept no longer: ${message}`),
    })
    lab.events.subscribe(eventFile.add)
    process.once('exit', eventFile.closeNow)
    process.once('exit', () => removeRunningLab(home))
    const { urls, caFile: ca } = lab
    const record = { pid: process.pid, startedAt: Date.now(), urls, ca, config: config.file }
    await recordRunningLab(home, record)
    return {
      server: urls.authorization,
      feed: labFeed(lab.events, name => whoByName.get(name)),
      documentOf: who => documentOf(lab, seats.get(seatName(who))!),
      async stop() {
        removeRunningLab(home)
        await lab.stop()
        await eventFile.close()
      },
    }
  } catch (error) {
    await lab.stop()
    throw error
  }
}
