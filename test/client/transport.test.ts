import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { createTransport, MAX_BODY } from '../../src/client/transport.js'
import { TimeoutError, TransportError } from '../../src/protocol/errors.js'
import type { HttpRequest } from '../../src/protocol/http/message.js'
import { bytes } from '../../src/protocol/http/message.js'
import { failure } from '../support/refusal.js'
import { listen, type TestCertificate, testCertificate } from './support/tls-server.js'

let certificate: TestCertificate
let foreign: TestCertificate
const cleanups: (() => Promise<void>)[] = []

beforeAll(async () => {
  certificate = await testCertificate()
  foreign = await testCertificate()
})
afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup()
})
afterAll(() => expect(cleanups).toEqual([]))

async function serve(...of: Parameters<typeof listen>) {
  const server = await listen(...of)
  cleanups.push(server.close)
  return server
}

function transport(options: Parameters<typeof createTransport>[0] = {}) {
  const made = createTransport({ caPem: certificate.cert, ...options })
  cleanups.push(async () => made.close())
  return made
}

const get = (url: string, headers: HttpRequest['headers'] = []): HttpRequest => ({
  method: 'GET',
  url,
  headers,
  body: new Uint8Array(),
})

describe('an exchange', () => {
  it('records the headers of the request and the response as sent, in order', async () => {
    let seen: IncomingMessage | undefined
    const { origin } = await serve((request, response) => {
      seen = request
      response.writeHead(200, ['X-One', '1', 'Set-Cookie', 'a=1', 'x-one', '2', 'Set-Cookie', 'b=2'])
      request.resume().on('end', () => response.end('answer ✓'))
    }, certificate)
    const exchange = await transport({ now: () => Date.UTC(2026, 10, 21, 14, 3, 11) }).send({
      method: 'POST',
      url: `${origin}/token?a=%20b&c=+`,
      headers: [
        ['content-type', 'application/x-www-form-urlencoded'],
        ['X-Twice', '1'],
        ['X-Twice', '2'],
      ],
      body: bytes('grant_type=x&ü=1'),
    })
    expect(seen?.url).toBe('/token?a=%20b&c=+')
    expect(exchange.request.headers.flat()).toEqual(seen?.rawHeaders)
    expect(exchange.response?.headers.slice(0, 4)).toEqual([
      ['X-One', '1'],
      ['Set-Cookie', 'a=1'],
      ['x-one', '2'],
      ['Set-Cookie', 'b=2'],
    ])
    expect(exchange.response).toMatchObject({ status: 200, body: 'answer ✓' })
    expect(exchange).toMatchObject({
      at: '2026-11-21T14:03:11.000Z',
      wireBytes: { request: 17, response: 10 },
      bodyBytes: 10,
      tls: { protocol: 'TLSv1.3' },
    })
    expect(exchange.tls?.cipher).toMatch(/^TLS_/)
    expect(exchange.ms).toBeGreaterThan(0)
  })

  it.each(['GET', 'POST', 'PUT', 'DELETE', 'HEAD'])('records the headers of an empty %s', async method => {
    let seen: string[] = []
    const { origin } = await serve((request, response) => {
      seen = request.rawHeaders
      response.end()
    })
    const exchange = await transport().send({ ...get(origin), method })
    expect(exchange.request.headers.flat()).toEqual(seen)
    expect(exchange.tls).toBeUndefined()
  })

  it('sends a header that the caller sets only once', async () => {
    let seen: string[] = []
    const { origin } = await serve((request, response) => {
      seen = request.rawHeaders
      request.resume().on('end', () => response.end())
    })
    const headers = [
      ['Host', 'other.test'],
      ['Content-Length', '3'],
      ['Connection', 'close'],
    ] as const
    const exchange = await transport().send({ method: 'POST', url: origin, headers, body: bytes('abc') })
    expect(seen).toEqual(headers.flat())
    expect(exchange.request.headers).toEqual(headers)
  })

  it('follows no redirect', async () => {
    let asked = 0
    const { origin } = await serve((_request, response) => {
      asked += 1
      response.writeHead(302, { location: '/elsewhere' }).end()
    })
    expect((await transport().send(get(origin))).response?.status).toBe(302)
    expect(asked).toBe(1)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
    ['x-gzip', gzipSync],
  ] as const)('tells %s bytes on the wire from the bytes of the body', async (coding, compress) => {
    const body = 'ha '.repeat(5000)
    const coded = compress(body)
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(coded)
    })
    const exchange = await transport().send(get(origin))
    expect(exchange.response?.body).toBe(body)
    expect(exchange).toMatchObject({ wireBytes: { response: coded.length }, bodyBytes: body.length })
  })

  it('decodes several codings in reverse order', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip, br' }).end(brotliCompressSync(gzipSync('twice')))
    })
    expect((await transport().send(get(origin))).response?.body).toBe('twice')
  })
})

describe('an answer that cannot be read', () => {
  it.each([
    ['a bomb', 'gzip', gzipSync(Buffer.alloc(64 * MAX_BODY)), 'EMSGSIZE'],
    ['a broken coding', 'gzip', Buffer.from('no gzip at all'), 'EBADMSG'],
    ['half a coding', 'br', brotliCompressSync('x'.repeat(9999)).subarray(0, 9), 'EBADMSG'],
    ['an unknown coding', 'zip', Buffer.from('PK'), 'ENOTSUP'],
    ['a tower of codings', 'gzip,gzip,gzip,gzip', Buffer.from('x'), 'ENOTSUP'],
    ['an oversized body', 'identity', Buffer.alloc(MAX_BODY + 1), 'EMSGSIZE'],
  ])('is a transport error: %s', async (_name, coding, body, code) => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': coding }).end(body)
    })
    const error = await failure(transport().send(get(origin)))
    expect(error).toBeInstanceOf(TransportError)
    expect(error).toMatchObject({ code, kind: 'transport', message: expect.stringContaining(origin) })
  })

  it('is cut short: the connection breaks inside the body', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half')
      setImmediate(() => response.socket?.destroy())
    }, certificate)
    const error = await failure(transport().send(get(origin)))
    expect(error).toBeInstanceOf(TransportError)
    expect((error as Error).message).toBe(
      `${origin} closed the connection before its answer was complete (${(error as TransportError).code})`,
    )
  })

  it('is not HTTP', async () => {
    const server = createServer(socket => socket.end('SSH-2.0-OpenSSH\r\n')).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(async () => void server.close())
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const error = await failure(transport().send(get(origin)))
    expect(error).toMatchObject({
      kind: 'transport',
      message: expect.stringContaining('does not answer in HTTP'),
    })
  })
})

describe('a server that cannot be reached', () => {
  it('refuses the connection', async () => {
    const { origin, close } = await listen(() => {})
    await close()
    const error = await failure(transport().send(get(`${origin}/token`)))
    expect(error).toMatchObject({
      message: `cannot reach ${origin} (ECONNREFUSED)`,
      code: 'ECONNREFUSED',
      hints: [expect.stringContaining('oauth-lab serve'), expect.stringContaining('oauth-lab flow code')],
    })
  })

  it('has a certificate of another authority', async () => {
    const { origin } = await serve((_request, response) => response.end(), foreign)
    const error = await failure(transport().send(get(origin)))
    expect(error).toBeInstanceOf(TransportError)
    expect((error as Error).message).toMatch(
      /^the certificate of localhost:\d+ is signed by an unknown authority \([A-Z_]+\)$/,
    )
    expect((error as TransportError).hints.join()).toContain('--cacert')
  })

  it('has a certificate for another name', async () => {
    const { origin } = await serve((_request, response) => response.end(), certificate)
    const error = await failure(transport().send(get(origin.replace('localhost', '127.0.0.1'))))
    expect(error).toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' })
  })

  it('does not speak TLS', async () => {
    const { origin } = await serve((_request, response) => response.end())
    const error = await failure(transport().send(get(origin.replace('http:', 'https:'))))
    expect(error).toMatchObject({ kind: 'transport', message: expect.stringContaining('does not speak TLS') })
  })

  it('is not trusted because of NODE_TLS_REJECT_UNAUTHORIZED', async () => {
    const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED
    const { origin } = await serve((_request, response) => response.end(), foreign)
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    try {
      expect(await failure(transport().send(get(origin)))).toBeInstanceOf(TransportError)
    } finally {
      if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
      else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before
    }
  })
})

describe('the wait for an answer', () => {
  it('ends at the timeout, with exit code 124', async () => {
    const { origin } = await serve(() => {})
    const error = await failure(transport({ timeoutMs: 30 }).send(get(origin)))
    expect(error).toBeInstanceOf(TimeoutError)
    expect(error).toMatchObject({ kind: 'timeout', message: `no answer from ${origin} within 0.03 s` })
  })

  it('ends when the answer stops in the middle', async () => {
    const { origin } = await serve((_request, response) => {
      response.writeHead(200)
      response.write('half')
    })
    expect(await failure(transport({ timeoutMs: 50 }).send(get(origin)))).toBeInstanceOf(TimeoutError)
  })

  it('ends with the reason of the signal', async () => {
    const controller = new AbortController()
    const { origin } = await serve(() => controller.abort(new Error('interrupted')))
    const error = await failure(transport().send(get(origin), { signal: controller.signal }))
    expect(error).toBe(controller.signal.reason)
  })

  it('ends during a handshake, at the timeout or by the signal, and closes the connection', async () => {
    const silent = createServer().listen(0, '127.0.0.1')
    await once(silent, 'listening')
    cleanups.push(async () => void silent.close())
    const url = `https://127.0.0.1:${(silent.address() as AddressInfo).port}`
    const closed: Promise<unknown>[] = []
    silent.on('connection', socket => closed.push(once(socket.resume(), 'close')))

    expect(await failure(transport({ timeoutMs: 50 }).send(get(url)))).toBeInstanceOf(TimeoutError)
    const controller = new AbortController()
    silent.once('connection', () => controller.abort(new Error('interrupted')))
    const error = await failure(transport().send(get(url), { signal: controller.signal }))
    expect(error).toBe(controller.signal.reason)

    for (const close of cleanups.splice(1)) await close()
    await Promise.all(closed)
    expect(closed).toHaveLength(2)
  })

  it('does not start when the signal is already aborted', async () => {
    let asked = 0
    const { origin } = await serve(() => {
      asked += 1
    })
    const error = await failure(transport().send(get(origin), { signal: AbortSignal.abort('no') }))
    expect([error, asked]).toEqual(['no', 0])
  })
})
