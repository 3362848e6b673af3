import net from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../../src/protocol/events.js'
import { type HeaderList, type HttpResponse, header, text } from '../../../../src/protocol/http/message.js'
import { createProxySite } from '../../../../src/servers/compression/client/proxy-site.js'
import {
  createModeSwitch,
  MODE_SETTINGS,
  PROXY_MODES,
  type ProxyMode,
  withKnobs,
} from '../../../../src/servers/compression/proxy/modes.js'
import { recordingSite } from '../../../support/ask.js'

/** The answer with its whole body. One that is cut after its headers has status 0, and the error as its body. */
async function whole(answer: HttpResponse): Promise<HttpResponse> {
  const { stream, ...rest } = answer
  if (stream === undefined) return rest
  const pieces: Uint8Array[] = []
  try {
    for await (const piece of stream) pieces.push(piece)
    return { ...rest, body: Buffer.concat(pieces) }
  } catch (error) {
    return { ...rest, status: 0, body: Buffer.from(String(error)) }
  }
}

/** Runs `use` with a proxy in front of a server that answers every connection with `reply` and records its requests. */
async function behind(
  reply: string | Buffer,
  use: (proxy: {
    ask: (
      mode: ProxyMode,
      headers?: HeaderList,
      url?: string,
    ) => ReturnType<ReturnType<typeof createProxySite>['handle']>
    asked: string[]
    events: NewEvent[]
  }) => Promise<void>,
): Promise<void> {
  const asked: string[] = []
  const events: NewEvent[] = []
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.once('data', chunk => {
      asked.push(String(chunk))
      socket.end(reply)
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const upstream = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
  try {
    const ask = async (mode: ProxyMode, headers: HeaderList = [], url = 'http://proxy/a%20b?c=1') =>
      whole(
        await recordingSite(
          createProxySite({ upstream, settings: () => MODE_SETTINGS[mode], timeoutMs: 2000 }),
          events,
        ).handle({ method: 'GET', url, headers, body: new Uint8Array() }),
      )
    await use({ ask, asked, events })
  } finally {
    server.close()
  }
}

const plain = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 30\r\n\r\n${'a'.repeat(30)}`

/** An answer whose body ends with the connection. */
const closing = (fields: string, body: string | Buffer) =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n${fields}\r\n\r\n`),
    Buffer.from(body),
  ])

describe('the proxy site', () => {
  it('asks its upstream once and reports both legs', async () => {
    await behind(plain, async ({ ask, asked, events }) => {
      const answer = await ask('force', [['Accept-Encoding', 'br']])
      expect(text(answer.body)).toBe('a'.repeat(30))
      expect(asked).toHaveLength(1)
      expect(asked[0]).toMatch(/^GET \/a%20b\?c=1 HTTP\/1\.1\r\n/)
      expect(asked[0]).toContain('\r\nAccept-Encoding: gzip\r\n')
      expect(events).toEqual([
        {
          type: 'proxy.passed',
          method: 'GET',
          path: '/a%20b',
          status: 200,
          upstream: { acceptEncoding: 'gzip', coding: 'identity', wireBytes: 30, vary: null },
          client: { acceptEncoding: 'br', coding: 'identity', wireBytes: 30, vary: null },
          did: 'passed',
          why: 'it comes raw',
        },
      ])
    })
  })

  it('reports the coding and the Vary of each leg', async () => {
    const body = gzipSync('a'.repeat(5000))
    const reply = closing('Content-Encoding: gzip\r\nVary: Accept-Encoding', body)
    await behind(reply, async ({ ask, asked, events }) => {
      const answer = await ask('force-gunzip', [], 'http://proxy')
      expect(text(answer.body)).toBe('a'.repeat(5000))
      expect(asked[0]).toMatch(/^GET \/ HTTP\/1\.1\r\n/)
      const common = { acceptEncoding: null, vary: 'Accept-Encoding' }
      expect(events[0]).toMatchObject({
        path: '/',
        upstream: { ...common, acceptEncoding: 'gzip', coding: 'gzip', wireBytes: body.length },
        client: { ...common, coding: 'identity', wireBytes: 5000 },
        did: 'decompressed',
      })
    })
  })

  it('throws an error that the upstream did not cause', async () => {
    const bug = new Error('a bug')
    const settings = () => {
      throw bug
    }
    const events: NewEvent[] = []
    const { handle, name } = recordingSite(
      createProxySite({ upstream: 'http://127.0.0.1:1', settings }),
      events,
    )
    const request = { method: 'GET', url: 'http://proxy/', headers: [], body: new Uint8Array() }
    await expect(handle(request)).rejects.toBe(bug)
    expect(events).toEqual([])
    expect(name).toBe('proxy')
  })

  it.each([
    ['that is no HTTP', 'nonsense\r\n\r\n', 502],
    [
      'that lies about its coding',
      plain.replace('Content-Type', 'Content-Encoding: gzip\r\nContent-Type'),
      502,
    ],
    ['that is empty', '', 502],
  ])('answers a clear 502 to an upstream answer %s', async (_, reply, status) => {
    await behind(reply, async ({ ask, events }) => {
      const answer = await ask('gunzip')
      expect(answer.status).toBe(status)
      expect(text(answer.body)).toMatch(/^Bad gateway: .*the /)
      expect(events[0]).toMatchObject({
        did: 'failed',
        status,
        why: text(answer.body).replace('Bad gateway: ', '').trim(),
        client: { acceptEncoding: null, coding: 'identity', wireBytes: answer.body.length },
      })
      expect(events[0]).not.toHaveProperty('upstream')
    })
  })

  const letters = gzipSync('a'.repeat(5000))

  it.each([
    ['has two lengths', closing('Content-Length: 3\r\nContent-Length: 4', 'abc')],
    ['has a field with control characters', closing('X-Bad: a\x01b', 'abc')],
    ['has a field without a proper name', closing('X Bad: a', 'abc')],
  ])('refuses in every mode an answer that %s', async (_, reply) => {
    await behind(reply, async ({ ask }) => {
      for (const mode of PROXY_MODES) {
        const answer = await ask(mode, [['Accept-Encoding', 'br']])
        expect([mode, answer.status]).toEqual([mode, 502])
        expect(text(answer.body)).toMatch(/^Bad gateway: ./)
      }
    })
  })

  it.each([
    ['says gzip, and is plain', 'gzip', 'plain text'],
    ['says gzip, and is brotli', 'gzip', brotliCompressSync('plain text')],
    ['is gzip that is cut', 'gzip', letters.subarray(0, letters.length - 9)],
  ])('passes on as nginx an answer that %s, and refuses to decode it', async (_, coding, body) => {
    await behind(closing(`Content-Encoding: ${coding}`, body), async ({ ask, events }) => {
      for (const mode of PROXY_MODES) {
        const answer = await ask(mode, [['Accept-Encoding', 'br']])
        if (mode === 'gunzip' || mode === 'force-gunzip') {
          // The part that was decoded before the fault may be on its way already.
          expect([502, 0]).toContain(answer.status)
          expect(events.at(-1)).toMatchObject({
            did: 'failed',
            why: expect.stringContaining('not valid gzip'),
          })
        } else {
          expect(answer.status).toBe(200)
          expect(Buffer.compare(answer.body, Buffer.from(body))).toBe(0)
        }
      }
    })
  })

  it.each([
    ['an empty gzip body', 'gzip', ''],
    ['bytes behind a gzip body', 'gzip', Buffer.concat([letters, Buffer.from('more')])],
    ['gzip that says br', 'br', letters],
    ['gzip once that says twice', 'gzip, gzip', letters],
    ['ten codings', Array(10).fill('gzip').join(), letters],
  ])('passes %s through in mode default', async (_, coding, body) => {
    await behind(closing(`Content-Encoding: ${coding}`, body), async ({ ask }) => {
      const answer = await ask('default', [['Accept-Encoding', 'gzip']])
      expect(answer.status).toBe(200)
      expect(header(answer, 'content-encoding')).toBe(coding)
      expect(Buffer.compare(answer.body, Buffer.from(body))).toBe(0)
    })
  })

  it.each([
    ['half of its chunks', closing('Transfer-Encoding: chunked', '5\r\nhel')],
    ['half of its length', closing('Content-Length: 31', 'half')],
  ])('cuts the answer of an upstream that sends %s', async (_, reply) => {
    await behind(reply, async ({ ask, events }) => {
      expect((await ask('default')).status).toBe(0)
      expect(events).toMatchObject([{ did: 'failed', why: expect.stringContaining('cut in the middle') }])
    })
  })

  it.each([
    ['https://UPSTREAM/next', 'https://UPSTREAM/next'],
    ['UPSTREAM/next?a=b', 'http://proxy/next?a=b'],
    ['UPSTREAM', 'http://proxy'],
    ['UPSTREAM.example/next', 'UPSTREAM.example/next'],
    ['/next', '/next'],
  ])('rewrites the Location %s as proxy_redirect default does', async (location, expected) => {
    let own = ''
    const server = net.createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', () =>
        socket.end(
          `HTTP/1.1 302 Found\r\nLocation: ${location.replace('UPSTREAM', own)}\r\nContent-Length: 0\r\n\r\n`,
        ),
      )
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    own = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
    const site = createProxySite({ upstream: own, settings: () => MODE_SETTINGS.default })
    const request = { method: 'GET', url: 'http://proxy/a', headers: [], body: new Uint8Array() }
    const answer = await whole(await recordingSite(site).handle(request))
    server.close()
    expect(header(answer, 'location')).toBe(expected.replace('UPSTREAM', own))
  })

  it('speaks the version of proxy_http_version to its upstream', async () => {
    const asked: string[] = []
    const server = net.createServer(socket => {
      socket.on('error', () => {})
      socket.once('data', chunk => {
        asked.push(String(chunk).split('\r\n', 1)[0]!)
        socket.end(plain)
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const upstream = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
    for (const upstreamHttp of ['1.0', '1.1'] as const) {
      const settings = () => withKnobs(MODE_SETTINGS.default, { upstreamHttp })
      const request = { method: 'GET', url: 'http://proxy/a', headers: [], body: new Uint8Array() }
      await whole(await recordingSite(createProxySite({ upstream, settings })).handle(request))
    }
    server.close()
    expect(asked).toEqual(['GET /a HTTP/1.0', 'GET /a HTTP/1.1'])
  })

  it('passes pieces on as they come, and stops when the client leaves', async () => {
    let closed = false
    const server = net.createServer(socket => {
      socket
        .on('error', () => {})
        .on('close', () => {
          closed = true
        })
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n')
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const upstream = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`
    const events: NewEvent[] = []
    const site = createProxySite({ upstream, settings: () => MODE_SETTINGS.default })
    const request = { method: 'GET', url: 'http://proxy/a', headers: [], body: new Uint8Array() }
    const { stream } = await recordingSite(site, events).handle(request)
    const iterator = stream![Symbol.asyncIterator]()
    expect(String((await iterator.next()).value)).toBe('data: 1\n\n')
    const next = iterator.next().catch(() => undefined)
    void iterator.return?.()
    await next
    expect(events).toMatchObject([{ did: 'failed', why: 'the client left before the end' }])
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(closed).toBe(true)
    server.close()
  })

  it('forwards unknown codings and correct bodies', async () => {
    await behind(closing('Content-Encoding: x-own', 'own'), async ({ ask }) => {
      expect(await ask('default')).toMatchObject({ status: 200, body: Buffer.from('own') })
    })
    for (const [coding, body] of [
      ['gzip', letters],
      ['br', brotliCompressSync('a'.repeat(5000))],
      ['deflate', deflateSync('a'.repeat(5000))],
      ['gzip, br', brotliCompressSync(letters)],
    ] as const) {
      await behind(closing(`Content-Encoding: ${coding}`, body), async ({ ask }) => {
        const answer = await ask('default')
        expect(header(answer, 'content-encoding')).toBe(coding)
        expect(Buffer.compare(answer.body, body)).toBe(0)
      })
    }
  })

  it('decodes a compression bomb piece by piece, without a limit', async () => {
    const bomb = Buffer.concat(Array<Buffer>(65).fill(gzipSync(Buffer.alloc(1048576))))
    await behind(closing('Content-Encoding: gzip', bomb), async ({ ask }) => {
      expect(Buffer.compare((await ask('default')).body, bomb)).toBe(0)
      expect((await ask('gunzip')).body).toHaveLength(65 * 1048576)
    })
  })

  it('answers 504 when the upstream does not answer in time', async () => {
    const server = net.createServer(() => {})
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    const site = createProxySite({
      upstream: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
      settings: () => MODE_SETTINGS.default,
      timeoutMs: 50,
    })
    const { handle } = recordingSite(site)
    const answer = await handle({ method: 'GET', url: 'http://proxy/', headers: [], body: new Uint8Array() })
    expect(answer.status).toBe(504)
    expect(text(answer.body)).toContain('within 0.05 s')
    server.close()
  })

  it('refuses a body that is larger than its limit', async () => {
    const events: NewEvent[] = []
    const site = createProxySite({
      upstream: 'http://127.0.0.1:1',
      settings: () => MODE_SETTINGS.default,
      bodyLimit: 10,
    })
    const { handle } = recordingSite(site, events)
    const request = { method: 'POST', url: 'http://proxy/', headers: [], body: new Uint8Array(11) }
    expect((await handle(request)).status).toBe(413)
    expect(events).toEqual([])
    expect((await handle({ ...request, body: new Uint8Array(10) })).status).toBe(502)
  })

  it('switches its mode from one request to the next', () => {
    const modes = createModeSwitch('default')
    const { settings, setMode } = modes
    expect(settings()).toEqual(MODE_SETTINGS.default)
    setMode('force')
    expect(settings()).toEqual(MODE_SETTINGS.force)
    expect(modes.mode).toBe('force')
  })

  it('answers 502 without an upstream', async () => {
    const site = createProxySite({ upstream: 'http://127.0.0.1:1', settings: () => MODE_SETTINGS.default })
    const { handle } = recordingSite(site)
    const answer = await handle({ method: 'GET', url: 'http://proxy/', headers: [], body: new Uint8Array() })
    expect(answer.status).toBe(502)
    expect(text(answer.body)).toContain('cannot reach http://127.0.0.1:1')
  })
})
