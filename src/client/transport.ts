import { TimeoutError, TransportError, UserError } from '../protocol/errors.js'
import type { Exchange, Send, SendOptions } from '../protocol/http/exchange.js'
import {
  type Header,
  type HeaderList,
  type HttpRequest,
  learnerAgent,
  splitUrl,
  text,
} from '../protocol/http/message.js'
import { type BoundCredential, bound } from './bound-credentials.js'
import { CodingError, decodeBody } from './content-coding.js'
import type { Environment } from './transport/authorities.js'
import type { ConnectionEnds, OutgoingRequest } from './transport/connection.js'
import { createDial, type DialOptions, proxyHeaders, type Route } from './transport/dial.js'
import { createPool } from './transport/pool.js'
import { environmentProxy, readProxy } from './transport/proxy.js'
import { transportError } from './transport-errors.js'

/** The default of `maxBody`, in bytes. */
export const MAX_BODY = 1024 * 1024

/** The default time for one exchange, in milliseconds. */
const DEFAULT_TIMEOUT = 30_000

/** The settings of a transport. */
export interface TransportOptions extends DialOptions {
  /** The proxy to use instead of the proxies of the environment, and the setting that names it. */
  readonly proxy?: { readonly url: string; readonly from: string } | undefined
  /** The most milliseconds for one exchange, connecting included. */
  readonly timeoutMs?: number
  /** The largest body of a response, in bytes. Limits the wire bytes, and the body bytes after decoding. */
  readonly maxBody?: number
  /** Returns milliseconds since the epoch, for the `at` of exchanges. */
  readonly now?: () => number
  /** Returns milliseconds from any moment on, for the `ms` of exchanges. Default: those since this process started. */
  readonly stopwatch?: (() => number) | undefined
  /** Returns the id of the latest request on a connection to a lab in this program. */
  readonly requestOn?: ((ends: ConnectionEnds) => number | undefined) | undefined
  /** The variables that name proxies and more authorities. Default: the environment of this process. */
  readonly env?: Environment
  /** The User-Agent of all requests. It is sent, and not recorded: it is no part of a flow. Left out: none. */
  readonly agent?: string | undefined
  /** Fields for requests to some origins alone. They may hold secrets: they are sent, and recorded without their values. */
  readonly extraHeaders?: ExtraHeaders | undefined
  /** The credentials that no request may take to another origin. Left out: none is known here. */
  readonly credentials?: readonly BoundCredential[] | undefined
}

/** Header fields that a person adds to the requests to a server. */
interface ExtraHeaders {
  readonly headers: HeaderList
  readonly origins: ReadonlySet<string>
}

/** The recorded value of a field that a person added. */
const UNRECORDED = '(added by -H)'

/** The options of one exchange. */
interface ExchangeOptions {
  readonly signal: AbortSignal
  readonly enough: SendOptions['enough'] | undefined
  readonly received: SendOptions['received'] | undefined
}

/** Sends requests and keeps connections open until `close`. */
export interface Transport {
  readonly send: Send
  close(): void
}

/** Returns the headers that the server receives. A header that the caller sets is not added a second time. */
function headersToSend({ method, headers, body }: HttpRequest, host: string): HeaderList {
  const named = new Set(headers.map(([name]) => name.toLowerCase()))
  const first: Header[] = [
    ['host', host],
    ['connection', 'keep-alive'],
  ]
  const sent = [...first.filter(([name]) => !named.has(name)), ...headers]
  const hasLength = named.has('content-length') || named.has('transfer-encoding')
  if (!hasLength && (body.length > 0 || /^(POST|PUT|PATCH)$/.test(method))) {
    sent.push(['content-length', String(body.length)])
  }
  return sent
}

/** Returns the request as it is written to the connection. A proxy for plain HTTP needs the whole URL and the credentials for the proxy. */
function outgoing({ method, url, body }: HttpRequest, headers: HeaderList, route: Route): OutgoingRequest {
  const { origin, path, query } = splitUrl(url)
  const target = query === '' ? path : `${path}?${query}`
  if (route.proxy === undefined || route.url.protocol === 'https:') return { method, target, headers, body }
  return { method, target: origin + target, headers: [...headers, ...proxyHeaders(route.proxy)], body }
}

/**
 * Creates the HTTP client of the program. It records every exchange and does not follow redirects. It trusts `caPem` beside the authorities of Node,
 * and honours the proxies of the environment. `send` throws TransportError (no response, or an unreadable one), TimeoutError, UsageError for an
 * unreadable proxy address, or the reason of an aborted signal.
 */
export function createTransport(options: TransportOptions = {}): Transport {
  const { timeoutMs = DEFAULT_TIMEOUT, maxBody = MAX_BODY, now = Date.now, env = process.env } = options
  const stopwatch = options.stopwatch ?? (() => performance.now())
  const pool = createPool(createDial(options, env))
  const closing = new AbortController()
  const named = learnerAgent(env.OAUTH_LAB_LEARNER, options.agent)
  const agent: HeaderList = named === undefined ? [] : [['user-agent', named]]

  function routeTo(address: string): Route {
    const url = new URL(address)
    const { proxy: named } = options
    const proxy = named ? readProxy(named.url, named.from) : environmentProxy(url, env)
    return proxy ? { url, proxy } : { url }
  }

  async function exchange(
    request: HttpRequest,
    route: Route,
    { signal, enough, received }: ExchangeOptions,
  ): Promise<Exchange> {
    const at = new Date(now()).toISOString()
    const started = stopwatch()
    const own = headersToSend(request, route.url.host)
    const { headers: added = [], origins } = options.extraHeaders ?? {}
    const extra = origins?.has(splitUrl(request.url).origin) ? added : []
    const sent = [...own, ...extra.map(([name]): Header => [name, UNRECORDED])]
    const wired = [...own, ...extra, ...agent]
    const { answer, tls, id } = await pool.run(route, signal, async connection => ({
      answer: await connection.exchange(outgoing(request, wired, route), { signal, maxBody, enough }),
      tls: connection.tls,
      id: options.requestOn?.(connection.ends),
    }))
    const { status, headers, wire } = answer
    received?.(wire)
    const body = decodeBody(headers, wire, maxBody)
    const { method, url } = request
    return {
      request: {
        ...(id !== undefined && { id }),
        method,
        url,
        headers: sent,
        body: text(request.body),
      },
      response: { status, headers, body: text(body) },
      wireBytes: { request: request.body.length, response: wire.length },
      bodyBytes: body.length,
      ms: Math.round((stopwatch() - started) * 10) / 10,
      at,
      ...(tls && { tls }),
    }
  }

  const send: Send = async (request, { signal, enough, received } = {}) => {
    signal?.throwIfAborted()
    const timeout = AbortSignal.timeout(timeoutMs)
    const route = routeTo(request.url)
    const { origin } = splitUrl(request.url)
    const way = route.proxy ? `${origin} through the proxy ${route.proxy.origin}` : origin
    try {
      const ends = [timeout, closing.signal]
      const all = AbortSignal.any(signal ? [signal, ...ends] : ends)
      return await exchange(request, route, { signal: all, enough, received })
    } catch (error) {
      signal?.throwIfAborted()
      if (timeout.aborted) {
        throw new TimeoutError(`no answer from ${way} within ${timeoutMs / 1000} s`, [
          'Wait longer:   --timeout 2m',
        ])
      }
      if (error instanceof UserError) throw error
      if (error instanceof CodingError) {
        throw new TransportError(`the answer of ${origin} ${error.message} (${error.code})`, error.code)
      }
      throw transportError(error, way)
    }
  }
  return {
    send: bound(send, options.credentials ?? []),
    close() {
      closing.abort(Object.assign(new Error('the transport was closed'), { code: 'ECANCELED' }))
      pool.close()
    },
  }
}
