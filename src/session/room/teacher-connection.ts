import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { isIP } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import { connectionOn } from '../../client/transport/connection.js'
import { TransportError } from '../../protocol/errors.js'
import { urlHost } from '../../protocol/http/address.js'
import type { HeaderList } from '../../protocol/http/message.js'
import type { RoomAddress } from '../../protocol/room/address.js'
import { defined, parsedJson } from '../../protocol/values.js'

/** A teacher's program, as a code or a profile names it. */
export interface Teacher extends RoomAddress {
  /** The SHA-256 of the certificate in DER, or the first bytes of it. */
  readonly fingerprint: Uint8Array
}

/** Another program than the teacher's answers at the address. Nothing was sent to it. */
class FalseTeacherError extends TransportError {
  override name = 'FalseTeacherError'
  constructor(address: string) {
    super(
      `the program at ${address} is not the teacher of this code: its certificate is another one`,
      'FALSE_TEACHER',
      [
        'Rule: the code holds the fingerprint of the teacher’s certificate. Nothing was sent.',
        'Compare address and code with the teacher’s screen. Where both are right, somebody stands between: ask the teacher.',
      ],
    )
  }
}

/** The reason for a teacher who cannot be reached, as people say it, and the next move. */
function unreachable(address: string, error: unknown): TransportError {
  const { code = '', name } = error as NodeJS.ErrnoException
  const plain = 'Is the workshop running? The teacher finds out with:  oauth-lab workshop check'
  if (code === 'ECONNREFUSED') {
    return new TransportError(`no workshop listens at ${address}`, code, [
      'Compare the address with the teacher’s screen: it ends with a port, such as 8448.',
      plain,
    ])
  }
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return new TransportError(`the name in ${address} is of no computer that this one can find`, code, [
      'Type the number that the teacher’s screen shows, such as 192.0.2.7:8448.',
    ])
  }
  const silent =
    name === 'AbortError' || name === 'TimeoutError' || /^E(TIMEDOUT|HOSTUNREACH|NETUNREACH)$/.test(code)
  if (silent) {
    return new TransportError(`${address} does not answer from this computer`, code || 'ETIMEDOUT', [
      'Are both computers in the same network? A guest Wi-Fi often keeps its computers apart (client isolation), and a firewall may hold the port.',
      plain,
    ])
  }
  return new TransportError(`${address} does not speak as a workshop does (${code || name})`, code, [
    'Compare the address with the teacher’s screen: a workshop has two ports, and join takes that of HTTPS.',
  ])
}

/** A connection to the teacher's program, whose certificate has the fingerprint. */
interface Connected {
  readonly socket: TLSSocket
  /** The whole SHA-256 of the certificate. */
  readonly fingerprint: Uint8Array
}

/**
 * Connects to the teacher's program. The fingerprint is the only trust: no authority and no name counts, and nothing is sent before it was compared.
 * @throws FalseTeacherError, another TransportError
 */
async function connectPinned(teacher: Teacher, signal: AbortSignal): Promise<Connected> {
  const { host, port, fingerprint: pinned } = teacher
  const address = `${urlHost(host)}:${port}`
  const servername = isIP(host) === 0 ? host : undefined
  const socket = tls.connect(
    defined({ host, port, servername, rejectUnauthorized: false, minVersion: 'TLSv1.2' as const }),
  )
  socket.on('error', () => {})
  try {
    signal.throwIfAborted()
    await once(socket, 'secureConnect', { signal })
  } catch (error) {
    socket.destroy()
    throw unreachable(address, error)
  }
  const certificate = socket.getPeerCertificate().raw ?? Buffer.alloc(0)
  const fingerprint = createHash('sha256').update(certificate).digest()
  if (pinned.length < 10 || !fingerprint.subarray(0, pinned.length).equals(pinned)) {
    socket.destroy()
    throw new FalseTeacherError(address)
  }
  return { socket, fingerprint }
}

/** A request to the teacher's program. */
export interface RoomRequest {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
  /** The bearer token of the participant. */
  readonly token?: string | undefined
  readonly body?: unknown
  readonly headers?: HeaderList
  readonly signal: AbortSignal
  /** Called with the whole events of a stream as they arrive. */
  readonly events?: (events: string) => void
}

/** An answer of the teacher's program. */
export interface RoomAnswer {
  readonly status: number
  /** Undefined for a body that is no JSON. */
  readonly json: unknown
  /** Seconds. */
  readonly retryAfter: number | undefined
  /** The whole SHA-256 of the certificate. */
  readonly fingerprint: Uint8Array
}

/** Bytes of an answer: the lessons of a teacher are the largest. */
const MAX_ANSWER = 32 * 1024 * 1024

/** Sends a request on a connection of its own, and reads the answer, or a stream to its end. @throws TransportError */
export async function askRoom(
  teacher: Teacher,
  { method, path, token, body, headers = [], signal, events }: RoomRequest,
): Promise<RoomAnswer> {
  const { socket, fingerprint } = await connectPinned(teacher, signal)
  const address = `${urlHost(teacher.host)}:${teacher.port}`
  const content = Buffer.from(body === undefined ? '' : JSON.stringify(body))
  const sent: HeaderList = [
    ['host', address],
    ...headers,
    ...(token === undefined ? [] : [['authorization', `Bearer ${token}`] as const]),
    ...(body === undefined ? [] : [['content-type', 'application/json'] as const]),
    ['content-length', String(content.length)],
  ]
  const enough = (seen: string) => {
    events?.(seen)
    return false
  }
  const connection = connectionOn(socket)
  try {
    const answer = await connection.exchange(
      { method, target: path, headers: sent, body: content },
      { signal, maxBody: MAX_ANSWER, ...(events && { enough }) },
    )
    const retryAfter = Number(answer.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1])
    return {
      status: answer.status,
      json: parsedJson(Buffer.from(answer.wire).toString('utf8')),
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
      fingerprint,
    }
  } catch (error) {
    throw unreachable(address, error)
  } finally {
    connection.close()
  }
}
