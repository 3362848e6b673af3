import { connect, type Socket } from 'node:net'

/** The remote protocol of Firefox: JSON with its length in front, over TCP. */
export interface Marionette {
  /** Sends a command and returns its result. @throws Error with Firefox’s message */
  call(command: string, parameters?: object): Promise<unknown>
  close(): void
}

interface Waiting {
  resolve(result: unknown): void
  reject(error: Error): void
}

/** Takes whole messages off the start of the received bytes, and returns the rest. */
function takeMessages(received: Buffer, take: (message: unknown) => void): Buffer {
  let rest = received
  for (;;) {
    const colon = rest.indexOf(':')
    const end = colon + 1 + Number(rest.subarray(0, Math.max(0, colon)))
    if (colon < 0 || rest.length < end) return rest
    take(JSON.parse(rest.subarray(colon + 1, end).toString()))
    rest = rest.subarray(end)
  }
}

/** Connects to a Firefox that was started with `--marionette`. */
export async function connectMarionette(port: number): Promise<Marionette> {
  const waiting = new Map<number, Waiting>()
  const socket: Socket = connect(port, '127.0.0.1')
  let received = Buffer.alloc(0)
  let sent = 0
  const greeted = new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.once('data', () => resolve())
  })
  socket.on('data', data => {
    received = Buffer.from(
      takeMessages(Buffer.concat([received, data]), message => {
        // The greeting is an object, and an answer is a list: type, number, error, result.
        if (!Array.isArray(message)) return
        const [, number, error, result] = message as [number, number, { message: string } | null, unknown]
        const each = waiting.get(number)
        waiting.delete(number)
        if (error) each?.reject(new Error(error.message))
        else each?.resolve(result)
      }),
    )
  })
  socket.on('close', () => {
    for (const each of waiting.values()) each.reject(new Error('Firefox closed the connection'))
  })
  await greeted
  return {
    call: (command, parameters = {}) =>
      new Promise((resolve, reject) => {
        sent += 1
        waiting.set(sent, { resolve, reject })
        const message = JSON.stringify([0, sent, command, parameters])
        socket.write(`${Buffer.byteLength(message)}:${message}`)
      }),
    close: () => socket.destroy(),
  }
}
