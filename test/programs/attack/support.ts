import { once } from 'node:events'
import net from 'node:net'
import tls from 'node:tls'

/** A connection that a test writes to as it likes. */
export interface Attacker {
  readonly socket: net.Socket
  /** All that came back so far. */
  said(): string
  /** What came back until the server closed the connection. */
  readonly ended: Promise<string>
}

/** Connects to a port of this machine, by TLS where there is a CA to trust. */
export async function attacker(port: number, ca?: string): Promise<Attacker> {
  const socket =
    ca === undefined
      ? net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
      : tls.connect({ port, host: '127.0.0.1', servername: 'localhost', ca })
  let said = ''
  socket.setEncoding('latin1').on('data', chunk => {
    said += chunk
  })
  // A reset is one of the ways to be thrown out.
  socket.on('error', () => {})
  const ended = new Promise<string>(resolve => socket.once('close', () => resolve(said)))
  await once(socket, ca === undefined ? 'connect' : 'secureConnect')
  socket.on('end', () => socket.end())
  return { socket, said: () => said, ended }
}

/** Writes pieces, one every `pause` milliseconds and the last again and again, until the server closes. */
export function dribble({ socket }: Attacker, pieces: readonly string[], pause: number): void {
  let next = 0
  const timer = setInterval(() => {
    socket.write(pieces[next]!, 'latin1')
    next = Math.min(next + 1, pieces.length - 1)
  }, pause)
  socket.once('close', () => clearInterval(timer))
}
