import { createServer, type IncomingMessage, request } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Socket } from 'node:net'
import type { TestCertificate } from './tls-server.js'

/** Answers CONNECT in place of the proxy. */
export type Misbehave = (socket: Socket, request: IncomingMessage) => void

export interface ConnectProxyOptions {
  /** Speaks TLS to its clients. */
  readonly certificate?: TestCertificate
  /** The credentials to require, as `user:password`. */
  readonly credentials?: string
  readonly misbehave?: Misbehave
}

/** A proxy that connects every host name to this machine. */
export interface ConnectProxy {
  readonly port: number
  /** Each request line, with the Proxy-Authorization header where there was one. */
  readonly asked: string[]
  close(): Promise<void>
}

/** Starts an HTTP proxy (RFC 9110 §9.3.6). */
export async function connectProxy(options: ConnectProxyOptions = {}): Promise<ConnectProxy> {
  const { certificate, credentials, misbehave } = options
  const asked: string[] = []
  const sockets = new Set<Socket>()
  const expected = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  const admits = ({ method, url, headers }: IncomingMessage): boolean => {
    const { 'proxy-authorization': given } = headers
    asked.push([method, url, given].filter(part => part !== undefined).join(' '))
    return expected === undefined || given === expected
  }

  const server = certificate ? createTlsServer(certificate) : createServer()
  server.on('connection', (socket: Socket) => sockets.add(socket.on('error', () => {})))
  server.on('connect', (message: IncomingMessage, socket: Socket) => {
    socket.on('error', () => {})
    if (!admits(message)) return socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    if (misbehave) return misbehave(socket, message)
    const port = Number(/:(\d+)$/.exec(message.url ?? '')?.[1])
    const behind = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      behind.pipe(socket).pipe(behind)
    })
    sockets.add(behind.on('error', () => socket.destroy()))
  })
  server.on('request', (message, response) => {
    if (!admits(message)) return response.writeHead(407).end()
    const { port, pathname, search } = new URL(message.url ?? '')
    const { 'proxy-authorization': _, ...headers } = message.headers
    const target = { host: '127.0.0.1', port, path: pathname + search, method: message.method, headers }
    const onward = request(target, answer => {
      response.writeHead(answer.statusCode ?? 0, answer.rawHeaders)
      answer.pipe(response)
    })
    message.pipe(onward)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    asked,
    close: () =>
      new Promise(done => {
        server.close(() => done())
        for (const socket of sockets) socket.destroy()
      }),
  }
}
