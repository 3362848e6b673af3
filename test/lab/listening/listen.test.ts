import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Listener, type ListenOptions, listen } from '../../../src/lab/listening/listen.js'
import type { NewEvent } from '../../../src/protocol/events.js'
import { bytes, type HttpRequest, text, textResponse } from '../../../src/protocol/http/message.js'
import type { Handle } from '../../../src/protocol/http/site.js'
import { createCompressResponse } from '../../../src/servers/compression/compress-response.js'
import { withPayloads } from '../../../src/servers/compression/payload.js'
import { recordingBus } from '../../support/ask.js'

let home = ''
let listeners: Listener[] = []
let events: NewEvent[] = []
let crashes: unknown[] = []
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-listen-'))
  events = []
  crashes = []
})
afterEach(async () => {
  await Promise.all(listeners.map(each => each.stop()))
  listeners = []
  rmSync(home, { recursive: true })
})

/** A plain listener in front of `handle`: TLS changes nothing of what is tested here. */
async function serve(handle: Handle, options: Partial<ListenOptions> = {}): Promise<Listener> {
  const listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    home,
    bodyLimit: 64 * 1024,
    events: recordingBus(events),
    crashed: error => crashes.push(error),
    baseUrl: port => `https://lab.example:${port}`,
    site: () => ({ name: 'test', handle }),
    ...options,
  })
  listeners.push(listener)
  return listener
}

/** Sends bytes as they are, and returns everything that comes back until the server closes. */
async function raw(port: number, ...parts: string[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1')
  let answer = ''
  socket.setEncoding('latin1').on('data', chunk => {
    answer += chunk
  })
  for (const part of parts) socket.write(part, 'latin1')
  await once(socket, 'close')
  return answer
}

const echo: Handle = async request =>
  textResponse(200, JSON.stringify([request.method, request.url, request.headers, text(request.body)]))

const close = 'Host: x\r\nConnection: close\r\n'

describe('the address of a client', () => {
  it('is on every event of its request, an IPv4 address as such also on a listener for IPv6', async () => {
    const handle: Handle = async (_, { publish }) => {
      publish({ type: 'decided' })
      return textResponse(200, '')
    }
    const { port } = await serve(handle, { hosts: ['::'] })
    await fetch(`http://127.0.0.1:${port}/`)
    await fetch(`http://[::1]:${port}/`)
    expect(events.map(({ type, remoteAddress }) => [type, remoteAddress])).toEqual([
      ['decided', '127.0.0.1'],
      ['request.answered', '127.0.0.1'],
      ['decided', '::1'],
      ['request.answered', '::1'],
    ])
  })
})

describe('what a site gets', () => {
  it('is the target byte for byte below the base URL, and headers in order', async () => {
    const { port } = await serve(echo)
    const target = '/a%2Fb/../c//?x=%zz&x=+&y'
    const answer = await raw(
      port,
      `GET ${target} HTTP/1.1\r\nHOST: evil.example\r\nX-a: 1\r\nx-A: 2\r\nConnection: close\r\n\r\n`,
    )
    expect(JSON.parse(answer.split('\r\n\r\n')[1] ?? '')).toEqual([
      'GET',
      `https://lab.example:${port}${target}`,
      [
        ['HOST', 'evil.example'],
        ['X-a', '1'],
        ['x-A', '2'],
        ['Connection', 'close'],
      ],
      '',
    ])
  })

  it.each([
    ['http://other.example/path?q', '/path?q'],
    ['https://other.example', '/'],
    ['http://other.example?q', '/?q'],
  ])('is the path of an absolute target %s', async (target, path) => {
    const { port } = await serve(echo)
    const answer = await raw(port, `GET ${target} HTTP/1.1\r\n${close}\r\n`)
    expect(answer).toContain(`"https://lab.example:${port}${path}"`)
  })

  it('is a chunked body put together', async () => {
    const { port } = await serve(echo)
    const head = `POST / HTTP/1.1\r\n${close}Transfer-Encoding: chunked\r\n\r\n`
    expect(await raw(port, head, '3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n')).toContain('"abcde"]')
  })

  it('is the limit and one byte more of a longer body', async () => {
    let seen = 0
    const { port } = await serve(
      async request => {
        seen = request.body.length
        return textResponse(413, 'too long')
      },
      { bodyLimit: 1000 },
    )
    const body = 'a'.repeat(1_000_000)
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body })
    expect([answer.status, seen]).toEqual([413, 1001])
    await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'a'.repeat(1000) })
    expect(seen).toBe(1000)
  })

  it('is requested with 100 only when it is short enough', async () => {
    const { port } = await serve(
      async request => textResponse(request.body.length > 10 ? 413 : 200, 'done'),
      { bodyLimit: 10 },
    )
    const ask = (length: number) =>
      new Promise(resolve => {
        const request = http.request({
          port,
          method: 'POST',
          agent: false,
          headers: { 'content-length': length, expect: '100-continue' },
        })
        let continued = false
        request.on('continue', () => {
          continued = true
          request.end('a'.repeat(length))
        })
        request.on('response', response => {
          response.resume()
          resolve([response.statusCode, continued])
          request.destroy()
        })
        request.on('error', () => {})
        request.flushHeaders()
      })
    expect(await ask(5)).toEqual([200, true])
    expect(await ask(11)).toEqual([413, false])
  })

  it.each([
    ['a body that the client was not asked to send', 'Expect: 100-continue\r\n', 10],
    ['a body of which nothing is read', '', null],
  ])(
    'closes the connection behind %s, so that the body is no request',
    async (_what, expect100, bodyLimit) => {
      const seen: string[] = []
      const { port } = await serve(
        async request => {
          seen.push(new URL(request.url).pathname)
          return textResponse(request.body.length > 10 ? 413 : 200, 'done')
        },
        { bodyLimit },
      )
      const smuggled = 'GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n'
      const length = expect100 === '' ? 64 * 1024 * 1024 : smuggled.length
      const head = `POST /first HTTP/1.1\r\nHost: x\r\n${expect100}Content-Length: ${length}\r\n\r\n`
      const body = expect100 === '' ? 'a'.repeat(17 * 1024 * 1024) : smuggled
      const answer = await raw(port, head, body)
      expect(seen).toEqual(['/first'])
      expect(answer.match(/^HTTP\/1\.1 /gm)).toHaveLength(1)
      expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n')
    },
  )

  it('is no body where bodies are not read', async () => {
    const { port } = await serve(echo, { bodyLimit: null })
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'a'.repeat(1_000_000) })
    expect(await answer.text()).toMatch(/,""\]$/)
  })
})

describe('what goes out', () => {
  it('is the site’s headers in their order, duplicates kept, and a content-length', async () => {
    const { port } = await serve(async () => ({
      status: 200,
      headers: [
        ['Set-Cookie', 'a=1'],
        ['x-b', '2'],
        ['Set-Cookie', 'c=3'],
        ['content-length', '999'],
      ],
      body: bytes('é'),
    }))
    const answer = await raw(port, `GET / HTTP/1.1\r\n${close}\r\n`)
    expect(answer.split('\r\n').slice(0, 5)).toEqual([
      'HTTP/1.1 200 OK',
      'Set-Cookie: a=1',
      'x-b: 2',
      'Set-Cookie: c=3',
      'content-length: 2',
    ])
    expect(answer).toMatch(/\r\nDate: .* GMT\r\n/)
  })

  it.each([1, 255, 16 * 1024, 16 * 1024 + 1, 300_000])(
    'is its %i bytes as they are, whatever they are',
    async length => {
      const body = Uint8Array.from({ length }, (_, i) => i * 7)
      const { port } = await serve(async () => ({ status: 200, headers: [['x-a', '\u00e9']], body }))
      const answer = await raw(port, `GET / HTTP/1.1\r\n${close}\r\n`)
      const end = answer.indexOf('\r\n\r\n')
      expect(answer.slice(0, end)).toContain(`x-a: \u00e9\r\ncontent-length: ${length}\r\n`)
      expect(Buffer.from(answer.slice(end + 4), 'latin1').equals(body)).toBe(true)
    },
  )

  it('is no body for HEAD, with the length that GET would have', async () => {
    const { port } = await serve(async () => textResponse(200, 'hello'))
    const answer = await raw(port, `HEAD / HTTP/1.1\r\n${close}\r\n`)
    expect(answer).toContain('content-length: 5\r\n')
    expect(answer.endsWith('\r\n\r\n')).toBe(true)
    expect(events).toMatchObject([{ method: 'HEAD', wireBytes: 0, bodyBytes: 5 }])
  })

  it('is neither length nor body for 204', async () => {
    const { port } = await serve(async () => ({ status: 204, headers: [], body: new Uint8Array() }))
    expect(await raw(port, `GET / HTTP/1.1\r\n${close}\r\n`)).not.toContain('content-length')
  })

  it('answers several requests of one connection in order', async () => {
    const { port } = await serve(async ({ url }) => textResponse(200, `<${url.slice(-2)}>`))
    const answer = await raw(port, `GET /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\n${close}\r\n`)
    expect(answer.match(/<..>/g)).toEqual(['</a>', '</b>'])
  })

  it('leaves a connection open for as long as the option says', async () => {
    const { port } = await serve(async () => textResponse(200, 'ok'), { keepAlive: 1000 })
    const began = performance.now()
    expect(await raw(port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')).toContain('Keep-Alive: timeout=1')
    expect(performance.now() - began).toBeGreaterThan(900)
  })

  it('is one event a request', async () => {
    const { port } = await serve(async () => textResponse(404, 'no'))
    await raw(port, `GET /x?code=0123456789abcdefgh HTTP/1.1\r\n${close}\r\n`)
    expect(events).toMatchObject([
      {
        type: 'request.answered',
        site: 'test',
        method: 'GET',
        path: '/x?code=0123…fgh',
        status: 404,
        wireBytes: 2,
      },
    ])
  })
})

describe('what is wrong', () => {
  it.each([
    ['no HTTP at all', 'GARBAGE\r\n\r\n', '400'],
    ['a header without colon', 'GET / HTTP/1.1\r\nHost x\r\n\r\n', '400'],
    ['two lengths', `POST / HTTP/1.1\r\n${close}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, '400'],
    [
      'a length beside chunks',
      `POST / HTTP/1.1\r\n${close}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      '400',
    ],
    [
      'a coding of the transfer that is not chunked',
      `POST / HTTP/1.1\r\n${close}Transfer-Encoding: identity\r\n\r\nabc`,
      '400',
    ],
    [
      'a chunk whose size is no number',
      `POST / HTTP/1.1\r\n${close}Transfer-Encoding: chunked\r\n\r\nzz\r\nabc`,
      '400',
    ],
    ['two hosts', `GET / HTTP/1.1\r\n${close}Host: y\r\n\r\n`, '400'],
    ['a host that is none', 'GET / HTTP/1.1\r\nConnection: close\r\nHost: a b<>\r\n\r\n', '400'],
    ['no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['a control character in the target', 'GET /\x01 HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
    ['too long headers', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`, '431'],
    ['too many headers', `GET / HTTP/1.1\r\n${close}${'X: a\r\n'.repeat(150)}\r\n`, '431'],
  ])('%s is answered', async (_, request, status) => {
    const { port } = await serve(echo)
    const answer = await raw(port, request)
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`)
    expect(answer.split('\r\n\r\n')[0]).toMatch(/^x-content-type-options: nosniff$/im)
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it('an exception of the site is 500 without its message, and the next request is answered', async () => {
    const { port } = await serve(async ({ url }) => {
      if (url.endsWith('/bad')) throw new Error('secret detail')
      return textResponse(200, 'fine')
    })
    const bad = await fetch(`http://127.0.0.1:${port}/bad`)
    expect([bad.status, await bad.text()]).toEqual([500, 'The server failed to answer this request.\n'])
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    expect(crashes).toMatchObject([{ message: 'secret detail' }])
    expect(JSON.stringify(events)).not.toContain('secret detail')
    expect(events.map(each => each.type)).toContain('server.failed')
  })

  it('a header that cannot be written is 500, with the reason phrase of that status', async () => {
    const { port } = await serve(async () => ({ status: 200, headers: [['no name', 'x']], body: bytes('') }))
    const { status, statusText } = await fetch(`http://127.0.0.1:${port}/`)
    expect([status, statusText]).toEqual([500, 'Internal Server Error'])
    expect(events.find(each => each.type === 'request.answered')).toMatchObject({ status: 500 })
  })

  it('a client that leaves in the middle of its body harms nobody', async () => {
    let handled = 0
    const { port } = await serve(async () => {
      handled++
      return textResponse(200, 'ok')
    })
    const socket = net.connect(port, '127.0.0.1')
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf')
    await once(socket, 'connect')
    socket.destroy()
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
    expect(handled).toBe(1)
    expect(crashes).toEqual([])
  })
})

describe('binding', () => {
  it('is on every address under one port', async () => {
    const { port } = await serve(echo, { hosts: ['127.0.0.1', '127.0.0.2'] })
    for (const host of ['127.0.0.1', '127.0.0.2']) {
      expect((await fetch(`http://${host}:${port}/`)).status).toBe(200)
    }
  })

  it('leaves out addresses that this machine does not have', async () => {
    const { port } = await serve(echo, { hosts: ['127.0.0.1', '192.0.2.1'] })
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200)
  })

  it('of a busy port says which option frees it, exit 3', async () => {
    const { port } = await serve(echo)
    await expect(serve(echo, { port })).rejects.toMatchObject({
      kind: 'transport',
      code: 'EADDRINUSE',
      message: expect.stringContaining(`port ${port} of 127.0.0.1 is in use`),
      hints: ['Pick a free port:  oauth-lab serve --port 0'],
    })
  })

  it('of a port that is busy on one of the addresses frees the others again', async () => {
    const { port } = await serve(echo, { hosts: ['127.0.0.2'] })
    await expect(serve(echo, { port, hosts: ['127.0.0.1', '127.0.0.2'] })).rejects.toMatchObject({
      kind: 'transport',
    })
    await serve(echo, { port })
  })

  it('to somebody else’s address is a usage error', async () => {
    await expect(serve(echo, { hosts: ['192.0.2.1'] })).rejects.toMatchObject({ kind: 'usage' })
  })
})

describe('stopping', () => {
  it('finishes the request in flight, tells the client to close, takes no new one', async () => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    let arrived: (request: HttpRequest) => void = () => {}
    const arrival = new Promise<HttpRequest>(resolve => {
      arrived = resolve
    })
    const listener = await serve(async request => {
      arrived(request)
      await released
      return textResponse(200, 'finished')
    })
    const answer = raw(listener.port, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await arrival
    const stopped = listener.stop()
    await expect(fetch(`http://127.0.0.1:${listener.port}/`)).rejects.toThrow()
    release()
    expect(await answer).toMatch(/connection: close[\s\S]*finished$/i)
    await stopped
  })

  it('does not wait for connections that never asked', async () => {
    const listener = await serve(echo)
    const socket = net.connect(listener.port, '127.0.0.1')
    await once(socket, 'connect')
    const closed = once(socket, 'close')
    await listener.stop()
    await closed
  })
})

describe('a listener that compresses', () => {
  const payloads = (): Promise<Listener> =>
    serve(withPayloads({ name: 'test', handle: echo }).handle, { compress: createCompressResponse() })

  it('uses a coding that the client accepts, and reports wire bytes and body bytes in the event', async () => {
    const { port } = await payloads()
    const answer = await raw(port, `GET /kb/2 HTTP/1.1\r\n${close}Accept-Encoding: gzip\r\n\r\n`)
    expect(answer).toContain('\r\nContent-Encoding: gzip\r\n')
    expect(answer).toContain('\r\ncontent-length: 48\r\n')
    expect(answer.slice(answer.indexOf('\r\n\r\n') + 4)).toHaveLength(48)
    expect(events.find(each => each.type === 'request.answered')).toMatchObject({
      coding: 'gzip',
      wireBytes: 48,
      bodyBytes: 2048,
    })
  })

  it('answers HEAD with the headers of GET, and HTTP/1.0 as well', async () => {
    const { port } = await payloads()
    const head = await raw(port, `HEAD /kb/200 HTTP/1.1\r\n${close}Accept-Encoding: gzip\r\n\r\n`)
    expect(head).toContain('\r\ncontent-length: 935\r\n')
    expect(head.endsWith('\r\n\r\n')).toBe(true)
    const old = await raw(port, 'GET /kb/2 HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n')
    expect(old).toContain('\r\ncontent-length: 48\r\n')
    expect(old.toLowerCase()).not.toContain('transfer-encoding')
  })

  it('joins repeated Accept-Encoding fields', async () => {
    const { port } = await payloads()
    const answer = await raw(
      port,
      `GET /kb/2 HTTP/1.1\r\n${close}Accept-Encoding: deflate\r\nAccept-Encoding: gzip\r\n\r\n`,
    )
    expect(answer).toContain('\r\ncontent-length: 48\r\n')
  })
})

it('an answer that cannot be written as it is has its values made legal', async () => {
  const { port } = await serve(async () => textResponse(201, 'made', [['warning', '299 - "ключ\r\nX: 1"']]))
  const answer = await raw(port, `GET / HTTP/1.1\r\n${close}\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 201 Created\r\n/)
  expect(Buffer.from(answer, 'latin1').toString('utf8')).toContain('warning: 299 - "ключ  X: 1"\r\n')
  expect(crashes).toEqual([])
})

describe('a streamed answer', () => {
  const later = async function* (parts: readonly string[]) {
    for (const part of parts) {
      await new Promise(resolve => setTimeout(resolve, 20))
      yield bytes(part)
    }
  }

  it('is written as it comes, and its bytes are counted', async () => {
    const answer = { status: 200, headers: [], body: bytes('a'), stream: later(['b', 'cd']) }
    const { port } = await serve(async () => answer, { compress: createCompressResponse() })
    const response = await fetch(`http://127.0.0.1:${port}/`)
    expect([response.headers.get('transfer-encoding'), await response.text()]).toEqual(['chunked', 'abcd'])
    await vi.waitFor(() =>
      expect(events.find(each => each.type === 'request.answered')).toMatchObject({ wireBytes: 4 }),
    )
  })

  it('ends when its client leaves, and when the listener stops', async () => {
    let ended = 0
    const endless = () => ({
      [Symbol.asyncIterator]: () => {
        let leave = () => {}
        const left = new Promise<void>(resolve => {
          leave = resolve
        })
        return {
          next: () => left.then(() => ({ done: true as const, value: undefined })),
          async return() {
            ended += 1
            leave()
            return { done: true as const, value: undefined }
          },
        }
      },
    })
    const listener = await serve(async () => ({
      status: 200,
      headers: [],
      body: bytes('x'),
      stream: endless(),
    }))
    const leaving = new AbortController()
    await fetch(`http://127.0.0.1:${listener.port}/`, { signal: leaving.signal })
    leaving.abort()
    await vi.waitFor(() => expect(ended).toBeGreaterThan(0), 20_000)
    const before = ended
    const staying = await fetch(`http://127.0.0.1:${listener.port}/`)
    const started = performance.now()
    await listener.stop()
    expect(performance.now() - started).toBeLessThan(4000)
    expect([await staying.text(), ended > before]).toEqual(['x', true])
  })

  it('may be one of many at the same time, without a warning of a leak', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    let end = () => {}
    const ended = new Promise<void>(resolve => (end = resolve))
    const stream = async function* () {
      await ended
      yield bytes('y')
    }
    const { port } = await serve(async () => ({
      status: 200,
      headers: [],
      body: bytes('x'),
      stream: stream(),
    }))
    const open = await Promise.all(Array.from({ length: 20 }, () => fetch(`http://127.0.0.1:${port}/`)))
    end()
    expect(await Promise.all(open.map(each => each.text()))).toEqual(open.map(() => 'xy'))
    process.off('warning', warn)
    expect(warnings).toEqual([])
  })
})
