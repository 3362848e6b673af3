import { once } from 'node:events'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTransport } from '../../src/client/transport.js'
import { bytes } from '../../src/protocol/http/message.js'
import { type TestCertificate, testCertificate } from './support/tls-server.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await testCertificate()
})

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

/** Answers a request. The numbers of the connection and of its request start at 1. */
type Act = (socket: Socket, connection: number, request: number) => unknown

/** Counts the connections and requests that a server received. */
async function serve(act: Act, tls?: TestCertificate) {
  const counts = { connections: 0, requests: 0 }
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    const connection = ++counts.connections
    let requests = 0
    sockets.add(socket)
    socket.on('error', () => {})
    // Small requests arrive in one chunk.
    socket.on('data', () => {
      counts.requests++
      act(socket, connection, ++requests)
    })
  }
  const server: Server = tls ? createTlsServer(tls, accept) : createServer(accept)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  cleanups.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  const { port } = server.address() as AddressInfo
  return { url: `${tls ? 'https' : 'http'}://localhost:${port}/`, counts }
}

function transport() {
  const made = createTransport({ caPem: certificate.cert, timeoutMs: 20_000 })
  cleanups.push(made.close)
  return (url: string, method = 'GET') =>
    made.send({ method, url, headers: [], body: bytes(method === 'GET' ? '' : 'a=1') })
}

/** Answers the first request of a connection and ends the connection with the second. */
const closesWhenAskedAgain: Act = (socket, _connection, request) =>
  request === 1 ? socket.write(OK) : socket.destroy()

describe('a kept connection', () => {
  it('carries one request after another', async () => {
    const { url, counts } = await serve(socket => socket.write(OK))
    const send = transport()
    for (const method of ['GET', 'POST', 'GET']) expect((await send(url, method)).response?.body).toBe('ok')
    expect(counts).toEqual({ connections: 1, requests: 3 })
  })

  it('is not shared by simultaneous requests', async () => {
    const { url, counts } = await serve(socket => setTimeout(() => socket.write(OK), 20))
    const send = transport()
    await Promise.all([send(url), send(url), send(url)])
    expect(counts.connections).toBe(3)
  })

  it.each(['GET', 'POST', 'DELETE'])('that ends without an answer is replaced for a %s', async method => {
    const { url, counts } = await serve(closesWhenAskedAgain)
    const send = transport()
    await send(url)
    expect((await send(url, method)).response?.body).toBe('ok')
    expect(counts).toEqual({ connections: 2, requests: 3 })
  })

  it('that the server closed while it was idle is not used', async () => {
    const closed: Promise<unknown>[] = []
    const { url, counts } = await serve(socket => {
      closed.push(once(socket.end(OK), 'close'))
    })
    const send = transport()
    await send(url)
    await Promise.all(closed)
    await send(url, 'POST')
    expect(counts).toEqual({ connections: 2, requests: 2 })
  })

  it('is replaced only once', async () => {
    const { url, counts } = await serve((socket, connection, request) =>
      connection === 1 && request === 1 ? socket.write(OK) : socket.destroy(),
    )
    const send = transport()
    await send(url)
    await expect(send(url)).rejects.toMatchObject({ kind: 'transport', code: 'ECONNRESET' })
    expect(counts).toEqual({ connections: 2, requests: 3 })
  })

  it('is not replaced after the first byte of an answer', async () => {
    const { url, counts } = await serve((socket, _connection, request) =>
      request === 1 ? socket.write(OK) : socket.end('HTTP/1.1 200'),
    )
    const send = transport()
    await send(url)
    await expect(send(url, 'POST')).rejects.toMatchObject({ kind: 'transport' })
    expect(counts).toEqual({ connections: 1, requests: 2 })
  })

  it('is not replaced after the timeout', async () => {
    const { url, counts } = await serve((socket, _connection, request) => request === 1 && socket.write(OK))
    const made = createTransport({ timeoutMs: 300 })
    cleanups.push(made.close)
    const request = { method: 'GET', url, headers: [], body: new Uint8Array() }
    await made.send(request)
    await expect(made.send(request)).rejects.toMatchObject({ kind: 'timeout' })
    expect(counts).toEqual({ connections: 1, requests: 2 })
  })
})

it.each(['GET', 'POST'])('a new connection that ends without an answer fails a %s', async method => {
  const { url, counts } = await serve(socket => socket.destroy())
  await expect(transport()(url, method)).rejects.toMatchObject({ kind: 'transport', code: 'ECONNRESET' })
  expect(counts).toEqual({ connections: 1, requests: 1 })
})

it('fifty clients outlive a server that closes every kept connection with the next request', async () => {
  const { url, counts } = await serve(closesWhenAskedAgain, certificate)
  const walk = async () => {
    const send = transport()
    for (const method of ['GET', 'GET', 'POST', 'POST', 'GET']) {
      expect((await send(url, method)).response?.body).toBe('ok')
    }
  }
  await Promise.all(Array.from({ length: 50 }, walk))
  expect(counts).toEqual({ connections: 250, requests: 450 })
})
