import { randomBytes, X509Certificate } from 'node:crypto'
import { makeSelfSigned } from '../../src/lab/certificates/certificates.js'
import { listen } from '../../src/lab/listening/listen.js'
import { memoryState } from '../../src/lab/state/memory-state.js'
import { createBus } from '../../src/protocol/events.js'
import { textResponse } from '../../src/protocol/http/message.js'
import type { Site } from '../../src/protocol/http/site.js'
import { FINGERPRINT_BYTES, writeJoinCode } from '../../src/protocol/room/join-code.js'
import { ruleDocuments } from '../../src/protocol/rules/documents.js'
import { boardShower } from '../../src/servers/room/pages/shown-board.js'
import { createRoom, type Room, type RoomOptions } from '../../src/servers/room/room.js'
import { MAX_BODY, roomSite } from '../../src/servers/room/room-site.js'
import { newRoomState } from '../../src/servers/room/state.js'

/** A teacher's room behind a listener, in this process. */
export interface TestTeacher {
  /** Such as `127.0.0.1:24001`. */
  readonly address: string
  readonly code: string
  readonly room: Room
  readonly stop: () => Promise<void>
}

/** A certificate of a teacher: a room that starts again has the same one. */
export const teacherCertificate = () => makeSelfSigned(['127.0.0.1'], Date.now())

/** Starts a room at a free port of 127.0.0.1. */
export async function startTeacher(
  options: Partial<RoomOptions> & {
    readonly tls?: { certPem: string; keyPem: string }
    readonly port?: number
    readonly around?: (site: Site) => Site
  },
): Promise<TestTeacher> {
  const { tls = await teacherCertificate(), port = 0, around = site => site, ...more } = options
  const now = Date.now
  const ports = {
    now,
    random: (length: number) => randomBytes(length),
    later: (ms: number, work: () => void) => void setTimeout(work, ms / 10).unref(),
  }
  const state = options.state ?? newRoomState({ name: 'Monday' }, ports)
  const { fingerprint256 } = new X509Certificate(tls.certPem)
  const fingerprint = Buffer.from(fingerprint256.replaceAll(':', ''), 'hex').subarray(0, FINGERPRINT_BYTES)
  const code = writeJoinCode({ fingerprint, secret: Buffer.from(state.secret, 'hex') })
  const room = createRoom({ lessons: [], ports, ...more, code, state })
  const page = () => textResponse(200, '')
  const pages = {
    board: page,
    stage: page,
    join: page,
    report: page,
    view: boardShower(await ruleDocuments()),
  }
  const listener = await listen({
    hosts: ['127.0.0.1'],
    port,
    portOption: '--port',
    tls,
    baseUrl: at => `https://127.0.0.1:${at}`,
    site: () => around(roomSite({ room, pages, now, kept: async () => {} })),
    home: memoryState(),
    events: createBus(now),
    bodyLimit: MAX_BODY,
    crashed: error => {
      throw error
    },
  })
  return { address: `127.0.0.1:${listener.port}`, code, room, stop: listener.stop }
}
