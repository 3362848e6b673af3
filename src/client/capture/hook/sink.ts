import { connect } from 'node:net'
import type { WireLine } from '../wire.js'

/** Most characters that wait for the recorder. What comes then is dropped and counted: the program never waits. */
const MAX_WAITING = 8 * 1024 * 1024

/** The way to the recorder. */
export interface Sink {
  readonly send: (line: WireLine) => void
  readonly dropped: () => number
}

/**
 * Connects to the recorder. The connection neither keeps the program alive nor fails it: without a recorder every line is dropped.
 * A write to a connected socket reaches the system at once, so that an exchange before `process.exit()` is not lost.
 */
export function createSink(path: string): Sink {
  let dropped = 0
  let gone = false
  const socket = connect({ path })
  const leave = () => {
    gone = true
  }
  socket.on('error', leave)
  socket.on('close', leave)
  // The recorder sends nothing. Reading notices its end.
  socket.resume()
  socket.unref()
  return {
    dropped: () => dropped,
    send(line) {
      if (gone || socket.writableLength > MAX_WAITING) dropped += 1
      else socket.write(`${JSON.stringify(line)}\n`)
    },
  }
}
