import type { Readable, Writable } from 'node:stream'
import { isJsonObject, type JsonObject, parsedJson } from '../../../protocol/values.js'

/** Longest message that is read, in bytes. */
const MAX_MESSAGE = 64 * 1024 * 1024

/** An event of the browser. `session` is the page that it is about; absent for the browser itself. */
export interface DevToolsEvent {
  readonly method: string
  readonly params: JsonObject
  readonly session?: string
}

/** The DevTools protocol of a browser. */
export interface DevTools {
  /** Sends a command. Rejects where the browser refuses it, or is gone. */
  readonly send: (method: string, params?: object, session?: string) => Promise<JsonObject>
}

/**
 * Speaks the DevTools protocol over two pipes (`--remote-debugging-pipe`): JSON texts, each with a zero byte behind it. No port is
 * open that another program of this computer could use.
 */
export function openDevTools(
  input: Writable,
  output: Readable,
  take: (event: DevToolsEvent) => void,
): DevTools {
  const waiting = new Map<number, { resolve: (result: JsonObject) => void; reject: (error: Error) => void }>()
  let count = 0
  let isGone = false
  let pieces: Buffer[] = []
  let size = 0

  function leave(): void {
    isGone = true
    for (const { reject } of waiting.values()) reject(new Error('the browser is gone'))
    waiting.clear()
  }

  function read(text: string): void {
    const value = parsedJson(text)
    if (value === undefined) leave()
    if (!isJsonObject(value)) return
    const { id, method, params, result, error, sessionId } = value
    if (typeof id === 'number') {
      const asked = waiting.get(id)
      waiting.delete(id)
      if (isJsonObject(error)) asked?.reject(new Error(String(error.message)))
      else asked?.resolve(isJsonObject(result) ? result : {})
    } else if (typeof method === 'string') {
      const event = { method, params: isJsonObject(params) ? params : {} }
      take(typeof sessionId === 'string' ? { ...event, session: sessionId } : event)
    }
  }

  output.on('data', (chunk: Buffer) => {
    let from = 0
    for (let end = chunk.indexOf(0); end >= 0; end = chunk.indexOf(0, from)) {
      const whole = Buffer.concat([...pieces, chunk.subarray(from, end)])
      const isWhole = size <= MAX_MESSAGE
      ;[pieces, size, from] = [[], 0, end + 1]
      if (isWhole) read(whole.toString('utf8'))
    }
    const rest = chunk.subarray(from)
    size += rest.length
    // The rest of a message that is too long is counted, and not kept.
    pieces = size <= MAX_MESSAGE ? [...pieces, rest] : []
  })
  for (const stream of [input, output]) stream.on('error', leave)
  output.once('close', leave)

  return {
    send: (method, params = {}, session = undefined) =>
      new Promise((resolve, reject) => {
        if (isGone) return reject(new Error('the browser is gone'))
        count += 1
        waiting.set(count, { resolve, reject })
        const message = { id: count, method, params }
        input.write(
          `${JSON.stringify(session === undefined ? message : { ...message, sessionId: session })}\0`,
        )
      }),
  }
}
