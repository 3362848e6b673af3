import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import { TransportError, UserError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'

/** The place of a room's HTTPS port. */
export interface RoomAddress {
  /** An IP address without brackets, or a name. */
  readonly host: string
  readonly port: number
}

/** The port of a workshop, where its address names none. */
const PORT = 8448

/** Reads `192.0.2.7:8448`, `[2001:db8::7]:8448`, or either without the port. Undefined for another text. */
export function readRoomAddress(text: string): RoomAddress | undefined {
  const bare = text
    .trim()
    .replace(/^https:\/\//i, '')
    .replace(/\/$/, '')
  const [, six, name, port = String(PORT)] =
    /^(?:\[([\da-f:.]+(?:%[\w.-]+)?)\]|([\w.-]{1,253}))(?::(\d{1,5}))?$/i.exec(bare) ?? []
  const host = six ?? name ?? (isIP(bare) === 6 ? bare : undefined)
  const number = Number(port)
  return host === undefined || number < 1 || number > 65_535 ? undefined : { host, port: number }
}

/** The address as people type it. */
export const writeRoomAddress = ({ host, port }: RoomAddress): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

/** A teacher's program, as a code or a profile names it. */
export interface Teacher extends RoomAddress {
  /** The SHA-256 of the certificate in DER, or the first bytes of it. */
  readonly fingerprint: Uint8Array
}

/** Another program than the teacher's answers at the address. Nothing was sent to it. */
export class FalseTeacherError extends TransportError {
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
  const address = writeRoomAddress(teacher)
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
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** A response whose body is still to come. */
interface Opened {
  readonly response: IncomingMessage
  readonly fingerprint: Uint8Array
  readonly close: () => void
}

/** Sends a request on a connection of its own. @throws TransportError */
export async function openRoom(
  teacher: Teacher,
  { method, path, token, body, headers = {}, signal }: RoomRequest,
): Promise<Opened> {
  const { socket, fingerprint } = await connectPinned(teacher, signal)
  const close = () => socket.destroy()
  try {
    const content = body === undefined ? undefined : JSON.stringify(body)
    const sent = httpRequest({
      createConnection: () => socket,
      host: teacher.host,
      port: teacher.port,
      method,
      path,
      signal,
      headers: defined({
        ...headers,
        authorization: token === undefined ? undefined : `Bearer ${token}`,
        'content-type': content === undefined ? undefined : 'application/json',
        'content-length': content === undefined ? undefined : String(Buffer.byteLength(content)),
      }),
    })
    sent.on('error', () => {})
    sent.end(content)
    const [response] = (await once(sent, 'response', { signal })) as [IncomingMessage]
    response.on('error', () => {})
    return { response, fingerprint, close }
  } catch (error) {
    close()
    throw unreachable(writeRoomAddress(teacher), error)
  }
}

/** An answer of the teacher's program. */
export interface RoomAnswer {
  readonly status: number
  /** Undefined for a body that is no JSON. */
  readonly json: unknown
  readonly retryAfter: number | undefined
  readonly fingerprint: Uint8Array
}

/** Bytes of an answer: the lessons of a teacher are the largest. */
const MAX_ANSWER = 32 * 1024 * 1024

/** Sends a request, and reads the answer. @throws TransportError; UserError for an answer that is too large */
export async function askRoom(teacher: Teacher, request: RoomRequest): Promise<RoomAnswer> {
  const { response, fingerprint, close } = await openRoom(teacher, request)
  try {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_ANSWER) throw new UserError('the answer of the workshop is larger than 32 MB', 'refused')
      chunks.push(chunk)
    }
    const retryAfter = Number(response.headers['retry-after'])
    return {
      status: response.statusCode ?? 0,
      json: jsonIn(Buffer.concat(chunks).toString('utf8')),
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
      fingerprint,
    }
  } catch (error) {
    throw error instanceof UserError ? error : unreachable(writeRoomAddress(teacher), error)
  } finally {
    close()
  }
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
