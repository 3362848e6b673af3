import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type HeaderList, text } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { CodingError, decodeBody } from '../content-coding.js'
import type { Captured, CapturedBody } from './captured.js'
import { MAX_BODY, type WireAnswer, type WireBody, type WireRequest } from './wire.js'
import { lineSplitter, readWireLine } from './wire-lines.js'

/** Most requests of a process whose answer is awaited. */
const MAX_OPEN = 2000

/** Longest path of a socket that every system takes, in bytes. */
const MAX_PATH = 100

/** Milliseconds that a program without a main process may keep its connection. */
const DRAIN = 300

/** The socket that programs hand over their exchanges to. */
export interface Receiver {
  /** The address of the socket, for the environment of the program. */
  readonly address: string
  /** Lines that programs could not hand over. */
  readonly dropped: () => number
  /** Waits for the last lines, reports requests that were not answered, and removes the socket. */
  readonly close: () => Promise<void>
}

/** Most bytes of a body after its content codings were removed. */
const MAX_DECODED = 4 * MAX_BODY

/** The text of a body, without content codings. A body that cannot be decoded has a size alone. */
function bodyOf(headers: HeaderList, { size, copy }: WireBody): CapturedBody {
  if (copy === undefined) return { size }
  try {
    return { size, text: text(decodeBody(headers, Buffer.from(copy, 'base64'), MAX_DECODED)) }
  } catch (error) {
    if (error instanceof CodingError) return { size }
    throw error
  }
}

function capturedOf(request: WireRequest, answer: WireAnswer | undefined): Captured {
  const { side, at, method, url, headers } = request
  const { status, body = { size: 0 } } = answer ?? {}
  const answered = answer?.headers ?? []
  return defined({
    side,
    // Exchanges of one process that begin in the same millisecond stay in their order.
    at: at + (request.id % 1000) / 1000,
    ms: answer?.ms ?? 0,
    method,
    url,
    headers,
    body: bodyOf(headers, request.body),
    answer: status === undefined ? undefined : { status, headers: answered, body: bodyOf(answered, body) },
    failure: answer === undefined ? 'the program ended first' : answer.failure,
  })
}

/** A folder that only this user can open, with room for the path of a socket in it. */
async function socketFolder(): Promise<string> {
  const name = 'oauth-lab-XXXXXX/socket'
  const parent = Buffer.byteLength(join(tmpdir(), name)) > MAX_PATH ? '/tmp' : tmpdir()
  return mkdtemp(join(parent, 'oauth-lab-'))
}

/**
 * Opens the socket that recorded programs write to: in a folder of this user alone, on Windows a pipe with a name that nobody can guess.
 * @param take gets each exchange when it is over
 */
export async function openReceiver(take: (captured: Captured) => void): Promise<Receiver> {
  const isWindows = process.platform === 'win32'
  const folder = isWindows ? undefined : await socketFolder()
  const address =
    folder === undefined
      ? `\\\\.\\pipe\\oauth-lab-${randomBytes(16).toString('hex')}`
      : join(folder, 'socket')
  const sockets = new Set<Socket>()
  /** Lines that each connection says it dropped. */
  let dropped = 0

  function receive(socket: Socket): void {
    const open = new Map<number, WireRequest>()
    let lost = 0
    sockets.add(socket)
    socket.setEncoding('utf8')
    socket.on('data', (piece: string) => split(piece))
    socket.on('error', () => socket.destroy())
    socket.once('close', () => {
      sockets.delete(socket)
      for (const request of open.values()) take(capturedOf(request, undefined))
    })
    const split = lineSplitter(line => {
      const read = readWireLine(line)
      if (read?.type === 'request') {
        if (open.size < MAX_OPEN) open.set(read.id, read)
      } else if (read) {
        const request = open.get(read.id)
        dropped += Math.max(0, read.dropped - lost)
        lost = Math.max(lost, read.dropped)
        open.delete(read.id)
        if (request) take(capturedOf(request, read))
      }
    })
  }

  const server = createServer(receive)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(address, resolve)
  })
  if (folder !== undefined) await chmod(address, 0o600)
  return {
    address,
    dropped: () => dropped,
    async close() {
      server.close()
      // What a program wrote before its end waits in the sockets. A program in the background may keep its own open.
      const end = Date.now() + DRAIN
      while (sockets.size > 0 && Date.now() < end) await new Promise(resolve => setTimeout(resolve, 10))
      await Promise.all(
        [...sockets].map(socket => new Promise<void>(resolve => socket.once('close', resolve).destroy())),
      )
      if (folder !== undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}
