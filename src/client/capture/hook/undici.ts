import { subscribe } from 'node:diagnostics_channel'
import type { WireHeaders } from '../wire.js'
import { createExchange, type Exchange, failureOf, quietly, type RequestHead } from './exchange.js'
import type { Sink } from './sink.js'
import { before } from './wrap.js'

/** A request of undici, of any version and any dispatcher: its channels carry it. */
interface UndiciRequest {
  readonly origin?: unknown
  readonly path?: unknown
  readonly method?: unknown
  readonly headers?: unknown
}

interface UndiciMessage {
  readonly request: UndiciRequest
  readonly response?: { readonly statusCode?: unknown; readonly headers?: unknown }
  readonly error?: unknown
}

/** The methods of a request that get the chunks of the answer's body: undici 6 and 7, and undici 8. */
const BODY_METHODS = ['onData', 'onResponseData']

const textOf = (value: unknown): string =>
  value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value)

/** Headers as undici keeps them: a text of lines (undici 5), or a list of names and values, whose values may be lists. */
function headersOf(value: unknown): WireHeaders {
  if (typeof value === 'string') {
    return value
      .split('\r\n')
      .filter(line => line.includes(':'))
      .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const)
  }
  if (!Array.isArray(value)) return []
  const all: unknown[] = value
  return all.flatMap((name, i) => {
    if (i % 2 === 1) return []
    const given = all[i + 1]
    return (Array.isArray(given) ? given : [given]).map(each => [textOf(name), textOf(each)] as const)
  })
}

function headOf({ origin, path, method, headers }: UndiciRequest): RequestHead | undefined {
  if (method === 'CONNECT' || typeof path !== 'string') return undefined
  const start = String(origin).replace(/\/$/, '')
  return { method: String(method), url: start + path, headers: headersOf(headers) }
}

/**
 * Records the requests of undici, which global fetch is made of, also those of a program's own undici and of its own dispatchers. The
 * channels of undici name the requests; Node 20 has no channel for the chunks of bodies, so they are read from the methods
 * that get them.
 */
export function recordUndici(sink: Sink): void {
  const exchanges = new WeakMap<object, Exchange>()
  const known = new WeakSet<object>()

  /** Each copy of undici has a class of its own. */
  function watchClass(prototype: object): void {
    // Anyone may publish on a channel: the methods have to be those of a class.
    if (known.has(prototype) || !Object.hasOwn(prototype, 'onBodySent')) return
    known.add(prototype)
    before(prototype, 'onBodySent', (self, [chunk]) => quietly(() => exchanges.get(self)?.sent.add(chunk)))
    for (const name of BODY_METHODS.filter(each => each in prototype)) {
      before(prototype, name, (self, [chunk]) => quietly(() => exchanges.get(self)?.received()?.add(chunk)))
    }
  }

  const on = (name: string, work: (message: UndiciMessage) => void): void =>
    subscribe(`undici:request:${name}`, message => quietly(() => work(message as UndiciMessage)))

  on('create', ({ request }) => {
    watchClass(Object.getPrototypeOf(request) as object)
    exchanges.set(
      request,
      createExchange(sink, 'client', () => headOf(request)),
    )
  })
  on('bodySent', ({ request }) => exchanges.get(request)?.requested())
  on('headers', ({ request, response }) =>
    exchanges.get(request)?.answered(Number(response?.statusCode), headersOf(response?.headers)),
  )
  on('trailers', ({ request }) => exchanges.get(request)?.ended())
  on('error', ({ request, error }) => exchanges.get(request)?.ended(failureOf(error)))
}
