import net from 'node:net'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { createProxySite } from '../../../src/compression/client/proxy-site.js'
import { createModeSwitch } from '../../../src/compression/proxy/mode-switch.js'
import { MODE_SETTINGS, PROXY_MODES, type ProxyMode } from '../../../src/compression/proxy/modes.js'
import type { NewEvent } from '../../../src/events/event.js'
import { type HeaderList, header, text } from '../../../src/http/message.js'
import { recordingSite } from '../../support/ask.js'

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
    const ask = (mode: ProxyMode, headers: HeaderList = [], url = 'http://proxy/a%20b?c=1') =>
      recordingSite(
        createProxySite({ upstream, settings: () => MODE_SETTINGS[mode], timeoutMs: 2000 }),
        events,
      ).handle({ method: 'GET', url, headers, body: new Uint8Array() })
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
    ['that is cut', 'HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\nhalf', 502],
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
    ['says gzip, and is plain', closing('Content-Encoding: gzip', 'plain text')],
    ['says gzip, and is brotli', closing('Content-Encoding: gzip', brotliCompressSync('plain text'))],
    ['says br, and is gzip', closing('Content-Encoding: br', letters)],
    ['says deflate, and is plain', closing('Content-Encoding: deflate', 'plain text')],
    ['says gzip twice, and is it once', closing('Content-Encoding: gzip, gzip', letters)],
    ['says gzip, and is nothing', closing('Content-Encoding: gzip', '')],
    ['is gzip that is cut', closing('Content-Encoding: gzip', letters.subarray(0, letters.length - 9))],
    ['names ten codings', closing(`Content-Encoding: ${Array(10).fill('gzip').join()}`, letters)],
    ['has two lengths', closing('Content-Length: 3\r\nContent-Length: 4', 'abc')],
    ['has a field with control characters', closing('X-Bad: a\x01b', 'abc')],
    ['has a field without a proper name', closing('X Bad: a', 'abc')],
    ['says half of its chunks', closing('Transfer-Encoding: chunked', '5\r\nhel')],
  ])('refuses in every mode an answer that %s', async (_, reply) => {
    await behind(reply, async ({ ask }) => {
      for (const mode of PROXY_MODES) {
        for (const offer of ['gzip', 'br']) {
          const answer = await ask(mode, [['Accept-Encoding', offer]])
          expect([mode, answer.status]).toEqual([mode, 502])
          expect(text(answer.body)).toMatch(/^Bad gateway: ./)
          expect(header(answer, 'content-encoding')).toBeUndefined()
        }
      }
    })
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

  it.each(['default', 'gunzip'] as const)('refuses a compression bomb in mode %s', async mode => {
    const bomb = Buffer.concat(Array<Buffer>(65).fill(gzipSync(Buffer.alloc(1048576))))
    await behind(closing('Content-Encoding: gzip', bomb), async ({ ask }) => {
      const answer = await ask(mode)
      expect(answer.status).toBe(502)
      expect(text(answer.body)).toContain('64 MiB')
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
    expect(settings()).toBe(MODE_SETTINGS.default)
    setMode('force')
    expect(settings()).toBe(MODE_SETTINGS.force)
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
