import { once } from 'node:events'
import net from 'node:net'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import { type Authorities, authorities } from '../../../client/transport/authorities.js'

/** The bytes that TLS adds to one answer. */
export interface TlsBytes {
  readonly protocol: string
  /** Bytes of the handshake each way, session tickets included. Each connection makes one. */
  readonly handshake: { readonly sent: number; readonly received: number }
  /** Bytes of the records that carry the answer, without the answer. Absent when the records do not show them. */
  readonly overhead?: number
}

/** An open connection whose bytes are counted. */
interface CountedConnection {
  readonly stream: Duplex
  /** Returns the bytes of TLS for an answer of this many bytes. Returns undefined in plain HTTP. */
  tlsBytes(answer: number): TlsBytes | undefined
}

const made = new Map<string, Authorities>()

/** Trusts `caPem` and what Node.js trusts. The result is kept, because reading the certificates takes longer than a handshake. */
function trusting(caPem: string): tls.SecureContext {
  const trusted = made.get(caPem) ?? authorities({ caPem }, process.env)
  made.set(caPem, trusted)
  return trusted.all()
}

/** Passes the bytes of a socket on, and reports each piece. A TLS socket on top of a net.Socket would read past JavaScript. */
function tapped(raw: net.Socket, received: (chunk: Buffer) => void, sent: (chunk: Buffer) => void): Duplex {
  const tap = new Duplex({
    read: () => raw.resume(),
    write(chunk: Buffer, _encoding, done) {
      sent(chunk)
      raw.write(chunk, done)
    },
    final: done => raw.end(done),
    destroy(error, done) {
      raw.destroy()
      done(error)
    },
  })
  tap.on('error', () => {})
  raw.on('data', chunk => {
    received(chunk)
    if (!tap.push(chunk)) raw.pause()
  })
  raw.on('end', () => tap.push(null))
  raw.on('close', () => tap.destroy())
  return tap
}

/** Opens TLS over a connected socket. @throws Error of Node.js */
async function secured(raw: net.Socket, host: string, caPem: string | undefined): Promise<CountedConnection> {
  const records = createRecordCounter()
  const bytes = { received: 0, sent: 0 }
  const tap = tapped(
    raw,
    chunk => {
      bytes.received += chunk.length
      records.feed(chunk)
    },
    chunk => {
      bytes.sent += chunk.length
    },
  )
  const trust = caPem === undefined ? {} : { secureContext: trusting(caPem) }
  const servername = net.isIP(host) === 0 ? { servername: host } : {}
  // Explicit, because NODE_TLS_REJECT_UNAUTHORIZED changes the default.
  const stream = tls.connect({ socket: tap, host, ...servername, ...trust, rejectUnauthorized: true })
  stream.once('secureConnect', records.restart)
  await new Promise<void>((resolve, reject) => {
    stream.once('secureConnect', resolve)
    stream.on('error', reject)
    stream.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })))
  })
  const handshake = { ...bytes }
  return {
    stream,
    tlsBytes(answer) {
      const protocol = stream.getProtocol() ?? 'TLS'
      const counted = records.bytesFor(protocol, answer)
      const { sent, received } = handshake
      if (counted === undefined) return { protocol, handshake: { sent, received } }
      const { overhead, tickets } = counted
      return { protocol, handshake: { sent, received: received + tickets }, overhead }
    },
  }
}

/**
 * Connects to the server of a URL.
 * @param raw a socket that is not connected yet, which the caller destroys
 * @param caPem certificates to trust besides those that Node.js trusts, PEM
 * @throws Error of Node.js
 */
export async function openConnection(
  raw: net.Socket,
  url: URL,
  caPem: string | undefined,
): Promise<CountedConnection> {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const secure = url.protocol === 'https:'
  raw.connect({ host, port: Number(url.port) || (secure ? 443 : 80) })
  await once(raw, 'connect')
  return secure ? secured(raw, host, caPem) : { stream: raw, tlsBytes: () => undefined }
}

/** Bytes of a record's header: type, version, length (RFC 8446 §5.1). */
const HEADER = 5
const APPLICATION_DATA = 23
/** Bytes that TLS 1.3 adds to the content of a record: header, inner type, tag (RFC 8446 §5.2). */
const ADDED = HEADER + 1 + 16
/** Bytes of an alert, such as close_notify (RFC 8446 §6). */
const ALERT = 2
/** Most records before the answer that are kept apart. Servers send two tickets. */
const MAX_LEADING = 32

/** The received bytes that are no part of the answer, or of its head, body and framing. */
interface RecordBytes {
  /** Headers, types and tags of the records that carry the answer. */
  readonly overhead: number
  /** Whole records before the answer: session tickets. */
  readonly tickets: number
}

/** Counts the records that a client receives over one TLS connection. */
interface RecordCounter {
  /** Reads received bytes, in pieces of any size. */
  feed(chunk: Uint8Array): void
  /** Forgets the records so far: those of the handshake. */
  restart(): void
  /**
   * Returns the bytes that TLS added to an answer. Returns undefined when the records do not show them, because a server
   * padded its records or sent tickets in the middle of the answer.
   * @param protocol as `getProtocol()` of Node.js returns it
   * @param answer bytes of the answer before TLS
   */
  bytesFor(protocol: string, answer: number): RecordBytes | undefined
}

/**
 * Makes a counter. TLS 1.3 hides the type of a record (§5.2). Tickets come before the answer (§4.6.1), so the records of the
 * answer are the last ones whose content is as long as the answer.
 */
function createRecordCounter(): RecordCounter {
  let header: number[] = []
  /** Bytes of the current record that are still to come. */
  let left = 0
  let wire = 0
  let count = 0
  let last = 0
  let leading: number[] = []

  function began(): void {
    const length = header[3]! * 256 + header[4]!
    left = length
    if (header[0] === APPLICATION_DATA) {
      last = HEADER + length
      wire += last
      count += 1
      if (leading.length < MAX_LEADING) leading.push(last)
    }
    header = []
  }

  function inTls13(answer: number, records: number, bytes: number): RecordBytes | undefined {
    let excess = bytes - ADDED * records - answer
    let tickets = 0
    for (const [before, record] of [...leading, 0].entries()) {
      if (excess === 0) return { overhead: ADDED * (records - before), tickets }
      excess -= record - ADDED
      tickets += record
      if (excess < 0) return undefined
    }
    return undefined
  }

  return {
    feed(chunk) {
      let at = 0
      while (at < chunk.length) {
        if (left > 0) {
          const part = Math.min(left, chunk.length - at)
          left -= part
          at += part
        } else {
          header.push(chunk[at]!)
          at += 1
          if (header.length === HEADER) began()
        }
      }
    },
    restart() {
      wire = 0
      count = 0
      leading = []
    },
    bytesFor(protocol, answer) {
      if (protocol !== 'TLSv1.3') return { overhead: wire - answer, tickets: 0 }
      const whole = inTls13(answer, count, wire)
      // The connection may have ended with an alert.
      return whole ?? (last === ADDED + ALERT ? inTls13(answer, count - 1, wire - last) : undefined)
    },
  }
}
