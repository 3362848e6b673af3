import type { IncomingMessage } from 'node:http'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTransport, type TransportOptions } from '../../src/client/transport.js'
import { TimeoutError, TransportError, UsageError } from '../../src/protocol/errors.js'
import type { Exchange } from '../../src/protocol/http/exchange.js'
import { bytes } from '../../src/protocol/http/message.js'
import { failure } from '../support/refusal.js'
import { type ConnectProxyOptions, connectProxy } from './support/connect-proxy.js'
import { listen, type TestCertificate, testCertificate } from './support/tls-server.js'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

let certificate: TestCertificate
beforeAll(async () => {
  certificate = await testCertificate(['server.test', 'localhost'])
})

async function proxy(options?: ConnectProxyOptions) {
  const started = await connectProxy(options)
  cleanups.push(started.close)
  return started
}

/** The origin of a server that only the proxy can resolve. */
async function server(tls = true) {
  const seen: IncomingMessage[] = []
  const { origin, close } = await listen(
    (request, response) => {
      seen.push(request)
      response.end('answer')
    },
    tls ? certificate : undefined,
  )
  cleanups.push(close)
  const { protocol, port } = new URL(origin)
  return { url: `${protocol}//server.test:${port}/path?a=1`, host: `server.test:${port}`, seen }
}

function ask(url: string, options: TransportOptions): Promise<Exchange> {
  const { send, close } = createTransport({ caPem: certificate.cert, timeoutMs: 10_000, ...options })
  cleanups.push(close)
  const headers = [['authorization', 'Bearer t']] as const
  return send({ method: 'POST', url, headers, body: bytes('body') })
}

/** The text of an error that a log could contain. */
const allOf = (error: unknown): string => {
  const { message, stack, hints, cause } = error as TransportError
  return [message, stack, ...hints, JSON.stringify(cause), String((cause as Error | undefined)?.stack)].join()
}

describe('a proxy of the environment', () => {
  it('opens a tunnel for https, cannot read it, and keeps it open', async () => {
    const { port, asked } = await proxy()
    const { url, host, seen } = await server()
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}` }
    const { send, close } = createTransport({ caPem: certificate.cert, env })
    cleanups.push(close)
    for (const _ of [1, 2]) {
      const exchange = await send({ method: 'GET', url, headers: [], body: new Uint8Array() })
      expect(exchange.response?.body).toBe('answer')
      expect(exchange.tls?.protocol).toBe('TLSv1.3')
      expect(exchange.request.headers.flat()).toEqual(seen.at(-1)?.rawHeaders)
    }
    expect(seen.map(request => request.url)).toEqual(['/path?a=1', '/path?a=1'])
    expect(asked).toEqual([`CONNECT ${host}`])
  })

  it.each([
    ['me:secret', 'me:secret'],
    ['me%40corp:s%3Acret', 'me@corp:s:cret'],
    ['me:100%', 'me:100%'],
  ])('receives the credentials %s, which the exchange does not show', async (written, credentials) => {
    const { port, asked } = await proxy({ credentials })
    const { url, host, seen } = await server()
    const exchange = await ask(url, { env: { https_proxy: `${written}@127.0.0.1:${port}` } })
    const basic = `Basic ${Buffer.from(credentials).toString('base64')}`
    expect(asked).toEqual([`CONNECT ${host} ${basic}`])
    expect(exchange.request.headers.flat()).toEqual(seen[0]?.rawHeaders)
    expect(JSON.stringify(exchange)).not.toContain(basic)
  })

  it('forwards plain http; the exchange records the headers for the server', async () => {
    const { port, asked } = await proxy({ credentials: 'me:secret' })
    const { url, host, seen } = await server(false)
    const exchange = await ask(url, { env: { HTTP_PROXY: `http://me:secret@127.0.0.1:${port}` } })
    const basic = `Basic ${Buffer.from('me:secret').toString('base64')}`
    expect(asked).toEqual([`POST ${url} ${basic}`])
    expect(seen[0]?.headers.host).toBe(host)
    expect(exchange.request.headers).toEqual([
      ['host', host],
      ['connection', 'keep-alive'],
      ['authorization', 'Bearer t'],
      ['content-length', '4'],
    ])
    expect(exchange.response?.body).toBe('answer')
  })

  it('is connected over TLS when its address is https', async () => {
    const { port, asked } = await proxy({ certificate })
    const { url, host } = await server()
    const exchange = await ask(url, { env: { HTTPS_PROXY: `https://localhost:${port}` } })
    expect([exchange.response?.status, asked]).toEqual([200, [`CONNECT ${host}`]])
  })

  it('is not used for this machine', async () => {
    const { port, asked } = await proxy()
    const { url, seen } = await server()
    const env = { HTTPS_PROXY: `http://127.0.0.1:${port}`, HTTP_PROXY: `http://127.0.0.1:${port}` }
    await ask(url.replace('server.test', 'localhost'), { env })
    expect([seen.length, asked.length]).toEqual([1, 0])
  })
})

it('a proxy that is named overrides the environment, also for this machine', async () => {
  const { port, asked } = await proxy()
  const { url } = await server()
  const named = { url: `http://127.0.0.1:${port}`, from: 'a test' }
  const env = { HTTPS_PROXY: 'http://127.0.0.1:1', NO_PROXY: '*' }
  await ask(url.replace('server.test', 'localhost'), { proxy: named, env })
  expect(asked).toHaveLength(1)
})

describe('a bad proxy', () => {
  const at = (port: number) => ({ HTTPS_PROXY: `http://me:secret@127.0.0.1:${port}` })

  it.each([
    [
      'refuses',
      'HTTP/1.1 403 Forbidden\r\n\r\n',
      /^the proxy http:\/\/127\.0\.0\.1:\d+ answered 403 to CONNECT server/,
    ],
    ['is none', 'SSH-2.0-OpenSSH\r\n', /^the proxy http:\/\/127\.0\.0\.1:\d+ does not answer in HTTP/],
    ['hangs up', '', /^the proxy http:\/\/127\.0\.0\.1:\d+ closed the connection/],
    [
      'opens a tunnel and cuts it',
      'HTTP/1.1 200 OK\r\n\r\n',
      /^https:\/\/server\.test:\d+ through the proxy http:\/\/127\.0\.0\.1:\d+ closed the connection/,
    ],
  ])('that %s is named without its credentials', async (_, answer, message) => {
    const { port } = await proxy({ misbehave: socket => socket.end(answer) })
    const { url } = await server()
    const error = await failure(ask(url, { env: at(port) }))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ kind: 'transport', message: expect.stringMatching(message) })
    expect(allOf(error)).not.toMatch(/secret|bWU6c2VjcmV0/)
  })

  it('that requires credentials is reported with the setting for them', async () => {
    const { port } = await proxy({ credentials: 'me:secret' })
    const { url } = await server()
    const error = await failure(ask(url, { env: { HTTPS_PROXY: `http://127.0.0.1:${port}` } }))
    expect(error).toMatchObject({
      code: 'EPROXY',
      message: expect.stringContaining('answered 407'),
      hints: [
        'The proxy requires credentials:   HTTPS_PROXY=http://USER:PASSWORD@HOST:PORT',
        'HTTPS_PROXY names the proxy. To go around it:   NO_PROXY=server.test',
      ],
    })
  })

  it('that cannot be reached is named in the error', async () => {
    const { port, close } = await connectProxy()
    await close()
    const error = await failure(ask('https://server.test/', { env: at(port) }))
    expect(error).toMatchObject({
      code: 'ECONNREFUSED',
      message: `cannot reach the proxy http://127.0.0.1:${port} (ECONNREFUSED)`,
      hints: ['HTTPS_PROXY names the proxy. To go around it:   NO_PROXY=server.test'],
    })
    expect(allOf(error)).not.toMatch(/secret|bWU6c2VjcmV0/)
  })

  it('that never answers is closed at the timeout', async () => {
    let closed: Promise<unknown> = Promise.resolve()
    const { port } = await proxy({
      misbehave: socket => {
        closed = new Promise(done => socket.resume().on('end', done))
      },
    })
    const error = await failure(ask('https://server.test/', { env: at(port), timeoutMs: 300 }))
    expect(error).toBeInstanceOf(TimeoutError)
    expect((error as Error).message).toBe(
      `no answer from https://server.test through the proxy http://127.0.0.1:${port} within 0.3 s`,
    )
    await closed
  })

  it.each(['socks5://me:secret@127.0.0.1:1080', 'http://me:secret@', 'ftp://x', 'http://[::1'])(
    'address %s is refused and not repeated',
    async address => {
      const error = await failure(ask('https://server.test/', { env: { HTTPS_PROXY: address } }))
      expect(error).toBeInstanceOf(UsageError)
      expect(error).toMatchObject({ kind: 'usage', message: 'HTTPS_PROXY does not name an HTTP proxy' })
    },
  )
})
