import { once } from 'node:events'
import net from 'node:net'
import { Duplex } from 'node:stream'
import tls from 'node:tls'
import { type Authorities, authorities } from '../../../client/transport/authorities.js'
import { createRecordCounter } from './tls-records.js'

/** The bytes that TLS adds to one answer. */
export interface TlsBytes {
  readonly protocol: string
  /** Bytes of the handshake each way, session tickets included. Each connection makes one. */
  readonly handshake: { readonly sent: number; readonly received: number }
  /** Bytes of the records that carry the answer, without the answer. Absent when the records do not show them. */
  readonly overhead?: number
}

/** An open connection whose bytes are counted. */
export interface CountedConnection {
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
