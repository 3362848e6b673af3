import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers'
import { UserError } from '../../protocol/errors.js'
import type { EventBus, RequestEvents } from '../../protocol/events.js'
import {
  type ClientCertificate,
  type Header,
  type HttpRequest,
  type HttpResponse,
  hasBadHost,
  header,
  isNamed,
  learnerOf,
  legalValue,
  textResponse,
  withNosniff,
} from '../../protocol/http/message.js'
import type { Site } from '../../protocol/http/site.js'
import { defined } from '../../protocol/values.js'
import type { CompressResponse } from '../../servers/compression/compress-response.js'
import type { LoopWatch } from './loop-watch.js'
import type { RecentRequests } from './recent-requests.js'
import { requestAnswered, shownPath } from './request-event.js'
import type { RequestTrace } from './request-trace.js'

export const MAX_HEADERS = 100

/** Milliseconds after which a connection without any progress is cut. */
export const SOCKET_TIMEOUT = 30_000

/** Bytes of an oversized body that are dropped: a client reads the answer only after sending. */
const MAX_DISCARDED = 16 * 1024 * 1024

export interface AdapterOptions {
  /** Left out: the listener asks for no certificate. */
  readonly certificateOf?: ((socket: Socket) => ClientCertificate | undefined) | undefined
  /** No trailing slash. Never taken from Host. */
  readonly baseUrl: () => string
  readonly site: () => Promise<Site>
  /** Bytes. A longer body reaches the site with one byte more, for its own 413. `null`: bodies are dropped. */
  readonly bodyLimit: number | null
  /** Left out: no answer is compressed. */
  readonly compress?: CompressResponse | undefined
  /** The answer to more than MAX_HEADERS headers. Left out: plain text. */
  readonly tooManyHeaders?: HttpResponse
  /** The sentence of a weak lab on plain texts. */
  readonly notice?: string | undefined
  /** For the listener that redirects every request. */
  readonly anyHost?: boolean
  /** Milliseconds; left out: the real clock. */
  readonly now?: (() => number) | undefined
  readonly events: Pick<EventBus, 'openRequest'>
  /** Recognises requests that other requests of this program caused. */
  readonly trace?: Pick<RequestTrace, 'causeOf'>
  /** Remembers the latest request of each connection. */
  readonly recent?: Pick<RecentRequests, 'add'>
  /** Notices requests that hold the event loop. */
  readonly loop?: Pick<LoopWatch, 'began'>
  readonly crashed: (error: unknown) => void
  /** Ends streams, and closes connections after their answers. */
  readonly stopping: AbortSignal
}

class Aborted extends Error {}

/** @returns undefined where the client left @throws every other error */
function notAborted(error: unknown): undefined {
  if (!(error instanceof Aborted)) throw error
}

/** A listener for both families sees IPv4 addresses as `::ffff:192.0.2.1`. */
const plainAddress = (address: string | undefined): string | undefined =>
  address?.replace(/^::ffff:(?=\d)/, '')

const empty = new Uint8Array()

const ignore = () => {}

function headersOf({ rawHeaders }: IncomingMessage): Header[] {
  const headers: Header[] = []
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) headers.push([rawHeaders[i]!, rawHeaders[i + 1]!])
  return headers
}

/** As it was sent; the absolute form (RFC 9112 §3.2.2) without its origin. */
function targetOf(url: string): string {
  if (url.startsWith('/')) return url
  const rest = /^https?:\/\/[^/?#]*(.*)$/i.exec(url)?.[1]
  if (rest === undefined) return `/${url}`
  return rest.startsWith('/') ? rest : `/${rest}`
}

/** At most `limit` + 1 bytes of the body. @throws Aborted where the client leaves before its end */
function readBody(message: IncomingMessage, limit: number): Promise<Uint8Array> {
  const { headers } = message
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
    return Promise.resolve(empty)
  }
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let length = 0
    const finish = () => {
      const body = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
      resolve(body.length > limit ? body.subarray(0, limit + 1) : body)
    }
    message.on('data', (chunk: Buffer) => {
      if (length <= limit) chunks.push(chunk)
      length += chunk.length
      if (length <= MAX_DISCARDED) return
      message.pause()
      finish()
    })
    message.on('end', finish)
    message.on('error', () => reject(new Aborted()))
    message.on('close', () => {
      if (!message.readableEnded) reject(new Aborted())
    })
  })
}

/** Bytes up to which Node writes a text together with the head. Latin-1 keeps every byte. */
const MAX_WRITTEN_WITH_HEAD = 16 * 1024

function textOf({ buffer, byteOffset, length }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, length).toString('latin1')
}

/** Bytes of a longer body that are handed over at once. TLS keeps a copy of them until the client reads. */
const PIECE = 64 * 1024

/**
 * Writes a body at the pace of its client. Keeps the last byte back until the others have left: Node 20 closes a draining
 * TLS connection whose next request comes in several records (HPE_PAUSED).
 */
async function writePieces(response: ServerResponse, body: Uint8Array): Promise<void> {
  let at = 0
  for (; body.length - at > PIECE && !response.destroyed; at += PIECE) {
    if (!response.write(body.subarray(at, at + PIECE)) && !response.destroyed) await writable(response)
  }
  response.write(body.subarray(at, -1), () => response.end(body.subarray(-1)))
}

/** No body and no content-length (RFC 9110 §8.6). */
const bodiless = (status: number): boolean => status === 204 || status === 304 || status < 200

async function write(
  response: ServerResponse,
  answer: HttpResponse,
  close: boolean,
  date?: number,
): Promise<void> {
  // A proxied answer to HEAD keeps the content-length of the other server.
  const relayed = response.req.method === 'HEAD' && answer.body.length === 0
  const headers: string[] = []
  for (const each of answer.headers) {
    // A streamed answer of another server keeps its length.
    if (relayed || answer.stream || !isNamed(each, 'content-length'))
      headers.push(each[0], legalValue(each[1]))
  }
  if (!relayed && !bodiless(answer.status) && !answer.stream)
    headers.push('content-length', String(answer.body.length))
  if (date !== undefined) headers.push('date', new Date(date).toUTCString())
  if (close) headers.push('connection', 'close')
  // A failed write has left its reason phrase.
  response.statusMessage = ''
  response.writeHead(answer.status, headers)
  if (answer.stream) response.write(answer.body)
  else if (bodiless(answer.status)) response.end()
  else if (answer.body.length > MAX_WRITTEN_WITH_HEAD) await writePieces(response, answer.body)
  else response.end(textOf(answer.body), 'latin1')
}

/**
 * Puts a site behind node:http or node:https: header order and bytes kept, bodies limited, an exception answered 500.
 * @param expectsContinue the client waits for 100 Continue before it sends the body
 */
export function adapt(
  options: AdapterOptions,
): (message: IncomingMessage, response: ServerResponse, expectsContinue?: boolean) => Promise<void> {
  const { bodyLimit, compress, events, trace, recent, loop, crashed, stopping, now, notice } = options
  const elapsed = now ?? (() => performance.now())
  let mounted: Site | undefined

  async function bodyOf(message: IncomingMessage, response: ServerResponse, expectsContinue: boolean) {
    const limit = bodyLimit ?? 0
    if (expectsContinue) {
      if (bodyLimit === null || Number(message.headers['content-length']) > limit) {
        return new Uint8Array(bodyLimit === null ? 0 : limit + 1)
      }
      response.writeContinue()
    }
    const body = await readBody(message, limit)
    return bodyLimit === null ? new Uint8Array() : body
  }

  return async (message, response, expectsContinue = false) => {
    const started = elapsed()
    response.on('error', ignore)
    mounted ??= await options.site()
    const site = mounted
    const body = await bodyOf(message, response, expectsContinue).catch(notAborted)
    if (body === undefined) return
    await nextTurn()
    const remoteAddress = plainAddress(message.socket.remoteAddress)
    const { traceparent } = message.headers
    const cause = typeof traceparent === 'string' ? trace?.causeOf(traceparent) : undefined
    // A request of the lab itself belongs to nobody: its cause does.
    const learner = cause === undefined ? learnerOf(message.headers['user-agent']) : undefined
    const context = events.openRequest(defined({ cause, remoteAddress, learner }))
    recent?.add(message.socket, context.id)
    const certificate = options.certificateOf?.(message.socket)
    const asked: HttpRequest = {
      id: context.id,
      method: message.method ?? 'GET',
      url: options.baseUrl() + targetOf(message.url ?? '/'),
      headers: headersOf(message),
      body,
      ...(remoteAddress !== undefined && { remoteAddress }),
      ...(certificate !== undefined && { certificate }),
      httpVersion: message.httpVersion,
    }
    const ended = loop?.began({ context, method: asked.method, url: asked.url })
    let answer: HttpResponse
    let uncoded: number | undefined
    let streamed = 0
    try {
      answer = unfit(asked) ?? (await site.handle(asked, context))
      uncoded = answer.body.length
      if (compress && !answer.stream) answer = await compress(asked, answer)
    } catch (error) {
      answer = failed(error, site.name, asked, context)
    }
    ended?.()
    response.on('close', () => {
      // The lab's clock may be set back meanwhile.
      const ms = Math.max(0, Math.round((elapsed() - started) * 10) / 10)
      const { status } = answer
      const wireBytes = asked.method === 'HEAD' ? 0 : answer.body.length + streamed
      const bodyBytes = (uncoded ?? answer.body.length) + streamed
      const coding = header(answer, 'content-encoding')
      const answered = { status, ...(coding && { coding }), wireBytes, bodyBytes, ms }
      context.publish(requestAnswered(site.name, asked, answered))
    })
    const close = stopping.aborted || !message.complete
    try {
      await write(response, answer, close, now?.())
      if (answer.stream) {
        await sendStream(response, answer.stream, stopping, bytes => {
          streamed += bytes
        })
      }
    } catch (error) {
      // The other server cut the body that was passed on; nothing crashed here.
      if (error instanceof UserError && response.headersSent) {
        response.destroy()
        return
      }
      answer = failed(error, site.name, asked, context)
      if (response.headersSent) response.destroy()
      else await write(response, answer, true, now?.())
    }
  }

  function plain(status: number, body: string, headers?: Header[]): HttpResponse {
    return withNosniff(textResponse(status, notice === undefined ? body : `${notice}\n${body}`, headers))
  }

  /** Undefined for a valid request. */
  function unfit(request: HttpRequest): HttpResponse | undefined {
    if (request.headers.length > MAX_HEADERS) {
      return options.tooManyHeaders ?? plain(431, `More than ${MAX_HEADERS} headers\n`)
    }
    if (options.anyHost || !hasBadHost(request)) return undefined
    return plain(400, 'The Host header is missing, repeated or malformed\n')
  }

  function failed(
    error: unknown,
    site: string,
    request: HttpRequest,
    { publish }: RequestEvents,
  ): HttpResponse {
    crashed(error)
    const description = 'the server failed to answer this request'
    publish({ type: 'server.failed', site, path: shownPath(request.url), description })
    const body = 'The server failed to answer this request.\n'
    return plain(500, body, [['cache-control', 'no-store']])
  }
}

let waiting: (() => void)[] = []

function resume(): void {
  const all = waiting
  waiting = []
  for (const each of all) each()
}

/**
 * Waits until the event loop has read everything that arrived. Requests of one turn then take each step together: without
 * this an RS256 token takes 15 % more processor time (test/bench, eight connections, Node 20, six runs: 5 to 20 %).
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(resume)
  })
}

/**
 * Writes at the pace of the client until the stream ends, the client leaves or the listener stops.
 * @param sent gets the number of bytes of each write
 */
async function sendStream(
  response: ServerResponse,
  stream: AsyncIterable<Uint8Array>,
  stopping: AbortSignal,
  sent: (bytes: number) => void,
): Promise<void> {
  const chunks = stream[Symbol.asyncIterator]()
  const leave = () => void chunks.return?.()
  response.once('close', leave)
  stopping.addEventListener('abort', leave, { once: true })
  if (response.destroyed || stopping.aborted) leave()
  // A stream may be silent longer than a connection may be idle.
  response.setTimeout(0)
  response.flushHeaders()
  try {
    for (;;) {
      const { done, value } = await chunks.next()
      if (done || response.destroyed) break
      sent(value.length)
      if (response.write(value) || response.destroyed) continue
      response.setTimeout(SOCKET_TIMEOUT)
      await writable(response)
      response.setTimeout(0)
    }
    // The rest of a stream that nobody reads is cut as well.
    response.setTimeout(SOCKET_TIMEOUT)
    response.end()
  } finally {
    response.off('close', leave)
    stopping.removeEventListener('abort', leave)
    leave()
  }
}

/** Waits for room in a response, or until its client has left. */
async function writable(response: ServerResponse): Promise<void> {
  const left = new AbortController()
  const { signal } = left
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]).finally(() =>
    left.abort(),
  )
}
