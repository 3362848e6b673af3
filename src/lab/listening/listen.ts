import { setMaxListeners } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { EventBus } from '../../protocol/events.js'
import type { Site } from '../../protocol/http/site.js'
import { createCertificateReader } from '../certificates/client-certificates.js'
import type { StateHome } from '../state/state-folder.js'
import { bindError, isBusy, noSuchAddress } from './bind-errors.js'
import { CIPHER_SUITES, watchHandshakes } from './handshake-failure.js'
import { type AdapterOptions, adapt, SOCKET_TIMEOUT } from './http-adapter.js'

/** Milliseconds. An unfinished request is cut within 30 s: the limit and one check. */
const HEADERS_TIMEOUT = 15_000
const REQUEST_TIMEOUT = 25_000
const CHECK_INTERVAL = 2_000
const HANDSHAKE_TIMEOUT = 10_000
const KEEP_ALIVE_TIMEOUT = 5_000
const MAX_HEADER_BYTES = 16 * 1024
const STOP_GRACE = 5_000

/** Milliseconds. */
export interface Waits {
  /** From its first byte to the end of its headers. */
  readonly headers: number
  /** From its first byte to its last. */
  readonly request: number
  /** Interval between two checks of the limits. */
  readonly check: number
  readonly handshake: number
}

const WAITS: Waits = {
  headers: HEADERS_TIMEOUT,
  request: REQUEST_TIMEOUT,
  check: CHECK_INTERVAL,
  handshake: HANDSHAKE_TIMEOUT,
}

export interface ListenOptions
  extends Omit<AdapterOptions, 'site' | 'baseUrl' | 'certificateOf' | 'stopping' | 'events'> {
  readonly events: Pick<EventBus, 'openRequest' | 'publish'>
  /** All on the same port. Several addresses may include some that this machine lacks. */
  readonly hosts: readonly string[]
  /** 0 picks a free one. */
  readonly port: number
  /** For messages. */
  readonly portOption: string
  /** For messages; left out: serve. */
  readonly command?: string
  /** Left out: plain HTTP. */
  readonly tls?: { readonly certPem: string; readonly keyPem: string }
  /** Asks TLS clients for a certificate, and refuses none. */
  readonly clientCaPem?: string
  readonly baseUrl: (port: number) => string
  readonly site: (baseUrl: string) => Site
  readonly home: StateHome
  readonly waits?: Waits
  /** Milliseconds after an answer; left out: 5 seconds. */
  readonly keepAlive?: number
}

export interface Listener {
  readonly port: number
  /** No trailing slash. */
  readonly baseUrl: string
  /** Finishes the requests in flight, 5 s at most. */
  stop(): Promise<void>
}

/** Requests of one connection that wait behind the one in work; then the socket is not read. */
const MAX_WAITING = 16

/** Requests of one connection, and of all listeners, that may wait: one packet holds many. A connection beyond that is cut. */
const MAX_PIPELINED = 1_000
const MAX_WAITING_IN_ALL = 4_000

interface Busy {
  readonly message: http.IncomingMessage
  readonly response: http.ServerResponse
}

interface Waiting extends Busy {
  readonly expectsContinue: boolean
}

/**
 * One record for all requests of a connection: V8 chains the old tables of maps that change at each request to the new
 * ones, so that requests outlive every collection but the full ones.
 */
interface Connection {
  busy: Busy | undefined
  /** Pipelined requests. No work is done for them until the answer before them has left. */
  readonly waiting: Waiting[]
  working: http.ServerResponse | undefined
  /** True while nothing more is read: too many requests wait, or the client does not read its answer. */
  isPaused: boolean
}

let waitingInAll = 0

const statusOfClientError: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
}

/**
 * Answers bytes that are no HTTP request, or an invalid body.
 * @param busy the request that is being answered on the socket
 * @param notice the sentence of a weak lab
 */
function refuse(error: NodeJS.ErrnoException, socket: Socket, busy: Busy | undefined, notice = ''): void {
  if (busy?.message.complete && error.code !== 'ECONNRESET' && socket.writable) {
    // Old clients send zeros after a whole request, which is answered.
    busy.response.shouldKeepAlive = false
    busy.response.once('close', () => socket.destroySoon())
    return
  }
  // Nothing may be written before the answers to earlier pipelined requests.
  const answering = busy !== undefined && (busy.response.socket !== socket || busy.response.headersSent)
  if (answering || error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const status = statusOfClientError[error.code ?? ''] ?? '400 Bad Request'
  const body = `${notice === '' ? '' : `${notice}\n`}${status.slice(4)}\n`
  socket.end(
    `HTTP/1.1 ${status}\r\nContent-Type: text/plain; charset=utf-8\r\nX-Content-Type-Options: nosniff\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), 1000).unref()
}

/** Cuts a connection. The parser is paused first, because it makes a request of each line of a packet otherwise. */
function cut(socket: Socket & { readonly parser?: { pause?(): void } | null }): void {
  socket.parser?.pause?.()
  socket.destroy()
}

type Server = http.Server | https.Server

function createServer(options: ListenOptions): Server {
  const { tls, clientCaPem, waits = WAITS, keepAlive = KEEP_ALIVE_TIMEOUT } = options
  const limits: http.ServerOptions = {
    maxHeaderSize: MAX_HEADER_BYTES,
    headersTimeout: waits.headers,
    requestTimeout: waits.request,
    keepAliveTimeout: keepAlive,
    connectionsCheckingInterval: waits.check,
    // The adapter checks Host, after it counted the headers.
    requireHostHeader: false,
  }
  const server = tls
    ? https.createServer({
        ...limits,
        cert: tls.certPem,
        key: tls.keyPem,
        // Node would read all its root certificates first. With the CA in the list, clients would send no certificate that signs
        // itself (RFC 8446 §4.2.4).
        ca: [],
        requestCert: clientCaPem !== undefined,
        // The site judges certificates.
        rejectUnauthorized: false,
        minVersion: 'TLSv1.2',
        ciphers: CIPHER_SUITES,
        handshakeTimeout: waits.handshake,
      })
    : http.createServer(limits)
  // Node's answer differs between versions; the adapter counts the headers.
  server.maxHeadersCount = 0
  server.timeout = SOCKET_TIMEOUT
  return server
}

function bind(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port, exclusive: true }, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

async function close(servers: readonly Server[]): Promise<void> {
  await Promise.all(servers.map(each => new Promise(done => (each.listening ? each.close(done) : done(0)))))
}

async function bindAll(
  options: ListenOptions,
  make: () => Server,
): Promise<{ servers: Server[]; port: number }> {
  for (let attempt = 1; ; attempt++) {
    const servers: Server[] = []
    let port = options.port
    let host = options.hosts[0]!
    try {
      for (host of options.hosts) {
        const server = make()
        try {
          port = await bind(server, host, port)
          servers.push(server)
        } catch (error) {
          // `localhost` may mean 127.0.0.1 and ::1; not every machine has both.
          if (!noSuchAddress(error) || options.hosts.length === 1) throw error
        }
      }
      if (servers.length > 0) return { servers, port }
      throw Object.assign(new Error('none of the addresses is on this machine'), { code: 'EADDRNOTAVAIL' })
    } catch (error) {
      await close(servers)
      // A port that is free on one address may be busy on the other.
      if (options.port === 0 && isBusy(error) && attempt < 10) continue
      throw await bindError(error, { ...options, host, port })
    }
  }
}

/** @throws TransportError for a busy or forbidden port, UsageError for an address that is not of this machine */
export async function listen(options: ListenOptions): Promise<Listener> {
  const stopping = new AbortController()
  // Every open stream listens for the end: ten watches of a cluster are no leak.
  setMaxListeners(0, stopping.signal)
  let baseUrl = ''
  let siteName = ''
  let mount: (site: Site) => void = () => {}
  const mounted = new Promise<Site>(resolve => {
    mount = resolve
  })
  const connections = new Map<Socket, Connection>()
  const certificateOf =
    options.clientCaPem === undefined ? undefined : createCertificateReader(options.clientCaPem)
  const answer = adapt({
    ...options,
    certificateOf,
    baseUrl: () => baseUrl,
    site: () => mounted,
    stopping: stopping.signal,
  })

  function connectionOf(socket: Socket): Connection {
    const known = connections.get(socket)
    if (known) return known
    const connection: Connection = { busy: undefined, waiting: [], working: undefined, isPaused: false }
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      waitingInAll -= connection.waiting.length
      connection.waiting.length = 0
    })
    return connection
  }

  /** Begins the next request of a connection. One is in work at a time, so that a client cannot pile up answers that it does not read. */
  function workOn(connection: Connection, socket: Socket): void {
    const next = connection.working ? undefined : connection.waiting.shift()
    if (next === undefined) return
    waitingInAll -= 1
    if (connection.isPaused && connection.waiting.length < MAX_WAITING) {
      connection.isPaused = false
      socket.resume()
    }
    const { message, response, expectsContinue } = next
    connection.working = response
    response.on('close', () => {
      // The last of pipelined requests counts, because answers go out in order.
      if (connection.busy?.response === response) connection.busy = undefined
      connection.working = undefined
      workOn(connection, socket)
    })
    answer(message, response, expectsContinue).catch(error => {
      options.crashed(error)
      socket.destroy()
    })
  }

  function on(expectsContinue: boolean): http.RequestListener {
    return (message, response) => {
      const { socket } = message
      if (socket.destroyed) return
      const connection = connectionOf(socket)
      const { waiting, working } = connection
      // A request with none before it is served, whatever other connections have waiting.
      if (working && (waiting.length >= MAX_PIPELINED || waitingInAll >= MAX_WAITING_IN_ALL)) {
        cut(socket)
        return
      }
      // Less than the mark may be on its way already: TLS reports a write as done one turn later, and a fast client asks again
      // before that.
      const isUnread = working !== undefined && socket.writableNeedDrain
      connection.busy = { message, response }
      waiting.push({ message, response, expectsContinue })
      waitingInAll += 1
      workOn(connection, socket)
      if (connection.isPaused || (waiting.length < MAX_WAITING && !isUnread)) return
      connection.isPaused = true
      socket.pause()
    }
  }

  const { servers, port } = await bindAll(options, () => {
    const server = createServer(options)
    server.on('request', on(false))
    server.on('checkContinue', on(true))
    server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
      refuse(error, socket, connections.get(socket)?.busy, options.notice)
    })
    if (server instanceof https.Server) {
      watchHandshakes(server, {
        baseUrl: () => baseUrl,
        site: () => siteName,
        publish: options.events.publish,
      })
    }
    return server
  })
  baseUrl = options.baseUrl(port)
  try {
    const site = options.site(baseUrl)
    siteName = site.name
    mount(site)
  } catch (error) {
    await close(servers)
    throw error
  }
  // A later error, such as too many open files, is not the end of the lab.
  for (const server of servers) server.on('error', options.crashed)

  async function stop(): Promise<void> {
    stopping.abort()
    const closed = close(servers)
    const grace = new AbortController()
    const expired = delay(STOP_GRACE, undefined, { signal: grace.signal }).catch(() => {})
    const ended = [...connections.values()].map(
      ({ busy }) => new Promise(done => (busy ? busy.response.once('close', done) : done(0))),
    )
    await Promise.race([Promise.all(ended), expired])
    grace.abort()
    // The connections left never sent a request, or had their 5 seconds.
    for (const server of servers) server.closeAllConnections()
    await closed
  }
  return { port, baseUrl, stop }
}
