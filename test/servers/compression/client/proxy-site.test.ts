import net from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { NewEvent } from '../../../../src/protocol/events.js'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
  text,
} from '../../../../src/protocol/http/message.js'
import { createProxySite } from '../../../../src/servers/compression/client/proxy-site.js'
import {
  createModeSwitch,
  MODE_SETTINGS,
  PROXY_MODES,
  type ProxyMode,
  type ProxySettings,
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

const request = (url = 'http://proxy/a'): HttpRequest => ({
  method: 'GET',
  url,
  headers: [],
  body: new Uint8Array(),
})

/** Runs `use` with the URL of a server that does `serve` with every connection. */
async function listening(
  serve: (socket: net.Socket) => void,
  use: (upstream: string) => Promise<void>,
): Promise<void> {
  const server = net.createServer(socket => serve(socket.on('error', () => {})))
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  try {
    await use(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`)
  } finally {
    server.close()
  }
}

/** Runs `use` with a proxy in front of a server that answers every connection with `reply` and records its requests. */
async function behind(
  reply: string | Buffer | ((upstream: string) => string),
  use: (proxy: {
    ask: (mode: ProxyMode | ProxySettings, headers?: HeaderList, url?: string) => Promise<HttpResponse>
    asked: string[]
    events: NewEvent[]
  }) => Promise<void>,
): Promise<void> {
  const asked: string[] = []
  const events: NewEvent[] = []
  let own = ''
  const serve = (socket: net.Socket) =>
    socket.once('data', chunk => {
      asked.push(String(chunk))
      socket.end(typeof reply === 'function' ? reply(own) : reply)
    })
  await listening(serve, async upstream => {
    own = upstream
    const ask = async (mode: ProxyMode | ProxySettings, headers: HeaderList = [], url?: string) => {
      const settings = () => (typeof mode === 'string' ? MODE_SETTINGS[mode] : mode)
      const site = recordingSite(createProxySite({ upstream, settings, timeoutMs: 2000 }), events)
      return whole(await site.handle({ ...request(url), headers }))
    }
    await use({ ask, asked, events })
  })
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
      const answer = await ask('force', [['Accept-Encoding', 'br']], 'http://proxy/a%20b?c=1')
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
    await expect(handle(request())).rejects.toBe(bug)
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
    ['a correct body', 'gzip, br', brotliCompressSync(letters)],
    ['an unknown coding', 'x-own', 'own'],
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
    const reply = (upstream: string) =>
      `HTTP/1.1 302 Found\r\nLocation: ${location.replace('UPSTREAM', upstream)}\r\nX-Own: ${upstream}\r\n\r\n`
    await behind(reply, async ({ ask }) => {
      const answer = await ask('default')
      expect(header(answer, 'location')).toBe(expected.replace('UPSTREAM', header(answer, 'x-own')!))
    })
  })

  it('speaks the version of proxy_http_version to its upstream', async () => {
    await behind(plain, async ({ ask, asked }) => {
      for (const upstreamHttp of ['1.0', '1.1'] as const) {
        await ask(withKnobs(MODE_SETTINGS.default, { upstreamHttp }))
      }
      expect(asked.map(each => each.split('\r\n', 1)[0])).toEqual(['GET /a HTTP/1.0', 'GET /a HTTP/1.1'])
    })
  })

  it('passes pieces on as they come, and stops when the client leaves', async () => {
    let closed = false
    const serve = (socket: net.Socket) =>
      socket
        .on('close', () => {
          closed = true
        })
        .once('data', () =>
          socket.write('HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: 1\n\n'),
        )
    await listening(serve, async upstream => {
      const events: NewEvent[] = []
      const site = createProxySite({ upstream, settings: () => MODE_SETTINGS.default })
      const { stream } = await recordingSite(site, events).handle(request())
      const iterator = stream![Symbol.asyncIterator]()
      expect(String((await iterator.next()).value)).toBe('data: 1\n\n')
      const next = iterator.next().catch(() => undefined)
      void iterator.return?.()
      await next
      expect(events).toMatchObject([{ did: 'failed', why: 'the client left before the end' }])
      await new Promise(resolve => setTimeout(resolve, 20))
      expect(closed).toBe(true)
    })
  })

  it('decodes a compression bomb piece by piece, without a limit', async () => {
    const bomb = Buffer.concat(Array<Buffer>(65).fill(gzipSync(Buffer.alloc(1048576))))
    await behind(closing('Content-Encoding: gzip', bomb), async ({ ask }) => {
      expect(Buffer.compare((await ask('default')).body, bomb)).toBe(0)
      expect((await ask('gunzip')).body).toHaveLength(65 * 1048576)
    })
  })

  it('answers 504 when the upstream does not answer in time', async () => {
    await listening(
      () => {},
      async upstream => {
        const settings = () => MODE_SETTINGS.default
        const { handle } = recordingSite(createProxySite({ upstream, settings, timeoutMs: 50 }))
        const answer = await handle(request())
        expect(answer.status).toBe(504)
        expect(text(answer.body)).toContain('within 0.05 s')
      },
    )
  })

  it('refuses a body that is larger than its limit', async () => {
    const events: NewEvent[] = []
    const site = createProxySite({
      upstream: 'http://127.0.0.1:1',
      settings: () => MODE_SETTINGS.default,
      bodyLimit: 10,
    })
    const { handle } = recordingSite(site, events)
    const post = (size: number) => handle({ ...request(), method: 'POST', body: new Uint8Array(size) })
    expect((await post(11)).status).toBe(413)
    expect(events).toEqual([])
    expect((await post(10)).status).toBe(502)
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
    const answer = await recordingSite(site).handle(request())
    expect(answer.status).toBe(502)
    expect(text(answer.body)).toContain('cannot reach http://127.0.0.1:1')
  })
})
