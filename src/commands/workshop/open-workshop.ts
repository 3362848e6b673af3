import { randomBytes, X509Certificate } from 'node:crypto'
import { resolve } from 'node:path'
import { ensureRoomCertificate } from '../../lab/certificates/certificates.js'
import { listen } from '../../lab/listening/listen.js'
import { crashReporter, requireOwnAddress } from '../../lab/listening/mounts.js'
import { UsageError } from '../../protocol/errors.js'
import { createBus } from '../../protocol/events.js'
import { urlHost } from '../../protocol/http/address.js'
import { networkOf } from '../../protocol/http/network.js'
import { FINGERPRINT_BYTES, writeJoinCode } from '../../protocol/room/join-code.js'
import { defined } from '../../protocol/values.js'
import { plainPage, roomPages } from '../../servers/room/pages/pages.js'
import { plainSite, type Tarball } from '../../servers/room/plain-site.js'
import { createRoom, type Room } from '../../servers/room/room.js'
import { MAX_BODY, roomSite } from '../../servers/room/room-site.js'
import { newRoomState, type RoomState } from '../../servers/room/state.js'
import { reportCsv, reportMarkdown } from '../../show/render/room/report.js'
import type { WorkshopReady } from '../output/json-lines.js'
import { keepRoom, readRoom } from './keep-room.js'
import { type RunningRoomLab, startRoomLab } from './room-lab.js'
import { roomLessons } from './room-lessons.js'
import { programTarball } from './tarball.js'

/** The options of `workshop`. */
export interface WorkshopFlags {
  readonly lessons?: string
  readonly course?: string
  readonly name?: string
  readonly address?: string
  readonly port: number
  readonly httpPort: number
  readonly plain?: true
  /** Starts a lab for the whole room. */
  readonly lab?: true
}

/** A room that people can join. */
export interface Workshop {
  readonly room: Room
  /** The lab of the whole room; left out: everybody uses a lab of their own. */
  readonly lab?: RunningRoomLab
  readonly ready: WorkshopReady
  /** `192.0.2.7:8448`. */
  readonly place: string
  /** Makes the file of this program, which people without a registry install. */
  readonly tarball: () => Promise<Tarball | undefined>
  /** Answers the requests in flight, and writes what is not written yet. */
  stop(): Promise<void>
}

/** The clock, randomness and timer of a room. */
export const roomPorts = {
  now: Date.now,
  random: (length: number) => randomBytes(length),
  later: (ms: number, work: () => void) => void setTimeout(work, ms).unref(),
}

/** The state to begin with: that of the room in the home with the given changes, or a new one. */
function beginning(kept: RoomState | undefined, flags: WorkshopFlags): RoomState {
  const { name, course, lessons } = flags
  const folder = lessons === undefined ? undefined : resolve(lessons)
  if (kept === undefined) {
    return newRoomState({ name: name ?? 'Workshop', ...defined({ course, folder }) }, roomPorts)
  }
  if (kept.endedAt !== undefined) {
    throw new UsageError(`the workshop ${JSON.stringify(kept.name)} has ended`, [
      'Its results:             oauth-lab workshop report',
      'Make room for a new one: oauth-lab workshop forget',
    ])
  }
  return { ...kept, ...defined({ name, course, folder }) }
}

/** The code of a room: the begin of the certificate's SHA-256, and the secret. */
export function codeOf(certPem: string, secret: string): string {
  const sha256 = Buffer.from(new X509Certificate(certPem).fingerprint256.replaceAll(':', ''), 'hex')
  return writeJoinCode({
    fingerprint: sha256.subarray(0, FINGERPRINT_BYTES),
    secret: Buffer.from(secret, 'hex'),
  })
}

/**
 * Opens the room of a home on an address, or goes on with it: same people, same certificate, same code.
 * @param narrate writes a line for the teacher
 * @throws UsageError, or TransportError for a busy port
 */
export async function openWorkshop(
  flags: WorkshopFlags,
  address: string,
  home: string,
  narrate: (line: string) => void,
): Promise<Workshop> {
  const { port, httpPort } = flags
  const kept = await readRoom(home)
  const state = beginning(kept?.state, flags)
  const { lessons, files } = await roomLessons(state.folder, state.course)
  await requireOwnAddress(address, home)
  const certificates = await ensureRoomCertificate(home, [address])
  const code = codeOf(certificates.certPem, state.secret)
  const room = createRoom(defined({ state, facts: kept?.facts, code, lessons, files, ports: roomPorts }))
  const keeper = await keepRoom(home, room, ({ message }) => {
    narrate(`warning: the room goes on, but is kept no longer: ${message}`)
  })
  const tarball = programTarball(made => {
    if (made !== undefined)
      narrate(`oauth-lab.tgz, for people without a registry, has the SHA-256 ${made.sha256}`)
  })
  const events = createBus(Date.now)
  const host = urlHost(address)
  const own = [address, ...(networkOf(address) === networkOf('127.0.0.1') ? [] : ['127.0.0.1'])]
  const common = { home, events, command: 'workshop', crashed: crashReporter(home) }
  // Both addresses are known once both ports are open.
  const place = { room: state.name, address: '', plain: '' }
  const pages = await roomPages(place, {
    csv: reportCsv,
    md: board => `${reportMarkdown(board).join('\n')}\n`,
  })
  const lab = flags.lab && (await startRoomLab({ home, address, code }, narrate))
  const secure = await listen({
    ...common,
    // The browser of the teacher reaches the board by 127.0.0.1 too, whatever the network of the day.
    hosts: own,
    port,
    portOption: '--port',
    tls: certificates,
    bodyLimit: MAX_BODY,
    baseUrl: at => `https://${host}:${at}`,
    site: () => roomSite(defined({ room, pages, now: Date.now, kept: keeper.kept, lab })),
  }).catch(async error => {
    await lab?.stop()
    throw error
  })
  const plain = await listen({
    ...common,
    hosts: own,
    port: httpPort,
    portOption: '--http-port',
    bodyLimit: 0,
    baseUrl: at => `http://${host}:${at}`,
    site: () =>
      plainSite({
        page: made => plainPage({ ...place, ...defined({ tarball: made }) }),
        tarball,
        caPem: certificates.caPem,
      }),
  }).catch(async error => {
    await Promise.all([secure.stop(), lab?.stop()])
    throw error
  })
  place.address = `${host}:${secure.port}`
  place.plain = `${plain.baseUrl}/`
  const { key } = room.state()
  const ready: WorkshopReady = {
    type: 'workshop.ready',
    join: `npx oauth-lab join ${place.address} ${code}`,
    board: `${secure.baseUrl}/board?key=${key}`,
    http: place.plain,
    code,
    ...(lab && { lab: { server: lab.server } }),
  }
  return {
    room,
    ...defined({ lab }),
    ready,
    place: place.address,
    tarball,
    async stop() {
      await Promise.all([secure.stop(), plain.stop(), lab?.stop()])
      await keeper.close()
    },
  }
}
