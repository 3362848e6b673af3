import { subscribe } from 'node:diagnostics_channel'
import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from 'node:http'
import type { WireHeaders } from '../wire.js'
import { type BodyCopy, createBodyCopy } from './body-copy.js'
import { createExchange, type Exchange, failureOf, quietly, type RequestHead } from './exchange.js'
import type { Sink } from './sink.js'
import { before } from './wrap.js'

/** The head of a message as Node sends it. It has every header, also those that were given as a list. */
const headOf = (message: object): string => {
  const { _header: head } = message as { readonly _header?: unknown }
  return typeof head === 'string' ? head : ''
}

/** The headers of a head. */
function headersOf(head: string): WireHeaders {
  return head
    .split('\r\n')
    .slice(1)
    .filter(line => line.includes(':'))
    .map(line => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()] as const)
}

/** Pairs of a list of names and values. */
const pairsOf = (raw: readonly string[]): WireHeaders =>
  raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as const] : []))

const headerOf = (headers: WireHeaders, wanted: string): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1]

function clientHead(request: ClientRequest): RequestHead | undefined {
  const { method, path, protocol, host } = request
  // A tunnel to a proxy, whose content is encrypted.
  if (method === 'CONNECT') return undefined
  const headers = headersOf(headOf(request))
  const origin = `${protocol}//${headerOf(headers, 'host') ?? host}`
  return { method, headers, url: /^https?:/i.test(path) ? path : origin + path }
}

/** The head of a request that a server received, with the address that its client used in front of a reverse proxy. */
function serverHead(request: IncomingMessage): RequestHead {
  const headers = pairsOf(request.rawHeaders)
  const first = (name: string) => headerOf(headers, name)?.split(',', 1)[0]?.trim()
  const isTls = 'encrypted' in request.socket
  const scheme = first('x-forwarded-proto') ?? (isTls ? 'https' : 'http')
  const host = first('x-forwarded-host') ?? first('host') ?? 'localhost'
  const { method = 'GET', url = '/' } = request
  return { method, headers, url: /^https?:/i.test(url) ? url : `${scheme}://${host}${url}` }
}

/** Records the requests of node:http and node:https, and those that servers of the program receive. */
export function recordNodeHttp(sink: Sink): void {
  const requests = new WeakMap<object, Exchange>()
  /** Takers of the chunks of messages that come in. */
  const incoming = new WeakMap<
    object,
    { chunk: (chunk: unknown, encoding: unknown) => void; end: () => void }
  >()
  /** Answers of the program's own servers. Their bodies begin before their headers can be read. */
  const responses = new WeakMap<object, { readonly exchange: Exchange; readonly body: BodyCopy }>()

  function requestOf(request: object): Exchange {
    const known = requests.get(request)
    if (known) return known
    const exchange = createExchange(sink, 'client', () => clientHead(request as ClientRequest))
    requests.set(request, exchange)
    return exchange
  }

  function answered(exchange: Exchange, response: IncomingMessage): void {
    exchange.answered(response.statusCode ?? 0, pairsOf(response.rawHeaders))
    incoming.set(response, {
      chunk: (chunk, encoding) => exchange.received()?.add(chunk, encoding),
      end: () => exchange.ended(),
    })
  }

  // `end` of Node does not call `write`, so no chunk is copied twice.
  before(http.ClientRequest.prototype, 'write', (self, [chunk, encoding]) =>
    quietly(() => requestOf(self).sent.add(chunk, encoding)),
  )
  before(http.ClientRequest.prototype, 'end', (self, [chunk, encoding]) =>
    quietly(() => requestOf(self).sent.add(chunk, encoding)),
  )
  // Listeners of our own would change what the program does with errors that nobody hears.
  before(http.ClientRequest.prototype, 'emit', (self, [event, value]) =>
    quietly(() => {
      if (event === 'finish') requestOf(self).requested()
      else if (event === 'response') answered(requestOf(self), value as IncomingMessage)
      else if (event === 'upgrade' || event === 'close') requests.get(self)?.ended()
      else if (event === 'error') requestOf(self).ended(failureOf(value))
    }),
  )
  before(http.IncomingMessage.prototype, 'push', (self, [chunk, encoding]) =>
    quietly(() => {
      const taking = incoming.get(self)
      if (chunk === null) taking?.end()
      else taking?.chunk(chunk, encoding)
    }),
  )
  // A body that was not read to its end.
  before(http.IncomingMessage.prototype, '_destroy', self => quietly(() => incoming.get(self)?.end()))

  for (const name of ['write', 'end']) {
    before(http.ServerResponse.prototype, name, (self, [chunk, encoding]) =>
      quietly(() => responses.get(self)?.body.add(chunk, encoding)),
    )
  }
  subscribe('http.server.request.start', message =>
    quietly(() => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse }
      const exchange = createExchange(sink, 'server', () => serverHead(request))
      responses.set(response, { exchange, body: createBodyCopy() })
      incoming.set(request, {
        chunk: (chunk, encoding) => exchange.sent.add(chunk, encoding),
        end: () => exchange.requested(),
      })
    }),
  )
  subscribe('http.server.response.finish', message =>
    quietly(() => {
      const { response } = message as { response: ServerResponse }
      const known = responses.get(response)
      known?.exchange.answered(response.statusCode, headersOf(headOf(response)), known.body)
      known?.exchange.ended()
    }),
  )
}
