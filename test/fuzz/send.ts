import net from 'node:net'
import tls from 'node:tls'
import { createAnswerReader, type WireAnswer } from '../../src/servers/compression/client/answer-reader.js'
import type { FuzzRequest } from './requests.js'

/** Sends requests of one listener over one connection at a time. */
export interface Sender {
  /**
   * Returns the answer. Of a stream that does not end, such as a watch, the headers are the answer. Returns undefined when the
   * server closes the connection without a word.
   * @throws Error for an answer that is malformed, or that does not come in time
   */
  send(request: FuzzRequest): Promise<Pick<WireAnswer, 'status' | 'headers' | 'body'> | undefined>
  close(): void
}

/** Milliseconds without a byte after which the server hangs. */
const PATIENCE = 15_000

/** Milliseconds without a byte after the headers of a stream. */
const STREAM = 300

const MAX_BODY = 64 * 1024 * 1024

/** The bytes of a request. Host and Content-Length are those that the server reads the request by. */
export function requestBytes({ method, target, headers, body, version }: FuzzRequest, host: string): Buffer {
  const lines = [
    `${method} ${target} HTTP/${version}`,
    `Host: ${host}`,
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(body.length === 0 && /^(?:GET|HEAD|DELETE|OPTIONS|TRACE)$/.test(method)
      ? []
      : [`Content-Length: ${body.length}`]),
  ]
  return Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), body])
}

/** Makes the sender of one listener. */
export function createSender(baseUrl: string, ca: string): Sender {
  const url = new URL(baseUrl)
  let kept: net.Socket | undefined

  function open(): Promise<net.Socket> {
    if (kept !== undefined) return Promise.resolve(kept)
    return new Promise((resolve, reject) => {
      const place = { host: '127.0.0.1', port: Number(url.port) }
      const socket =
        url.protocol === 'https:'
          ? tls.connect({ ...place, ca, servername: 'localhost' }, () => resolve(socket))
          : net.connect(place, () => resolve(socket))
      socket.once('error', reject)
      socket.on('error', () => {})
      socket.on('close', () => {
        if (kept === socket) kept = undefined
      })
      kept = socket
    })
  }

  return {
    async send(request) {
      const socket = await open()
      let headers = false
      let streamed: Pick<WireAnswer, 'status' | 'headers' | 'body'> | undefined
      const sink = {
        head: (head: Pick<WireAnswer, 'status' | 'headers'>) => {
          headers = true
          streamed = { ...head, body: Buffer.alloc(0) }
        },
        piece: () => {},
      }
      // Two readers: one for the whole answer, one to know that the headers are there.
      const whole = createAnswerReader({ method: request.method, limit: MAX_BODY })
      const begun = createAnswerReader({ method: request.method, limit: MAX_BODY, sink })
      let came = false
      const answer = await new Promise<Pick<WireAnswer, 'status' | 'headers' | 'body'> | undefined>(
        (resolve, reject) => {
          const end = (act: () => void) => {
            clearTimeout(timer)
            socket.off('data', data).off('close', closed)
            act()
          }
          const late = () => {
            socket.destroy()
            if (headers) end(() => resolve(streamed))
            else end(() => reject(new Error(`no answer within ${PATIENCE / 1000} s`)))
          }
          let timer = setTimeout(late, PATIENCE)
          const data = (chunk: Buffer) => {
            came = true
            try {
              begun.feed(chunk)
              const read = whole.feed(chunk)
              if (read !== undefined) return end(() => resolve(read))
              clearTimeout(timer)
              timer = setTimeout(late, headers ? STREAM : PATIENCE)
            } catch (error) {
              socket.destroy()
              end(() => reject(error))
            }
          }
          const closed = () =>
            end(() => {
              if (!came) return resolve(undefined)
              try {
                resolve(whole.end())
              } catch (error) {
                reject(error)
              }
            })
          socket.on('data', data)
          socket.on('close', closed)
          socket.write(requestBytes(request, url.host))
        },
      )
      const closes = answer?.headers.some(
        ([name, value]) => /^connection$/i.test(name) && /close/i.test(value),
      )
      if (closes || request.version === '1.0') {
        socket.destroy()
        kept = undefined
      }
      return answer
    },
    close: () => kept?.destroy(),
  }
}
