import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { createProxySite } from '../../../src/compression/client/proxy-site.js'
import { MODE_SETTINGS, type ProxyMode } from '../../../src/compression/proxy/modes.js'
import type { NewEvent } from '../../../src/events/event.js'
import { type HeaderList, text } from '../../../src/http/message.js'

/** A server that answers every connection with `reply`, and keeps what it was asked; what stands before it. */
async function behind(
  reply: string | Buffer,
  use: (proxy: {
    ask: (mode: ProxyMode, headers?: HeaderList) => ReturnType<ReturnType<typeof createProxySite>['handle']>
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
    const ask = (mode: ProxyMode, headers: HeaderList = []) =>
      createProxySite({
        upstream,
        settings: () => MODE_SETTINGS[mode],
        publish: event => events.push(event),
        timeoutMs: 2000,
      }).handle({ method: 'GET', url: 'http://proxy/a%20b?c=1', headers, body: new Uint8Array() })
    await use({ ask, asked, events })
  } finally {
    server.close()
  }
}

const plain = `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 30\r\n\r\n${'a'.repeat(30)}`

describe('the proxy site', () => {
  it('asks its upstream once, and tells both legs', async () => {
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

  it.each([
    ['that is cut', 'HTTP/1.1 200 OK\r\nContent-Length: 31\r\n\r\nhalf', 502],
    ['that is no HTTP', 'nonsense\r\n\r\n', 502],
    [
      'that lies about its coding',
      plain.replace('Content-Type', 'Content-Encoding: gzip\r\nContent-Type'),
      502,
    ],
    ['that is empty', '', 502],
  ])('makes of an upstream answer %s a clear 502', async (_, reply, status) => {
    await behind(reply, async ({ ask, events }) => {
      const answer = await ask('gunzip')
      expect(answer.status).toBe(status)
      expect(text(answer.body)).toMatch(/^Bad gateway: .*the /)
      expect(events[0]).toMatchObject({ did: 'failed', status })
    })
  })

  it('says 502 when nobody is there', async () => {
    const { handle } = createProxySite({
      upstream: 'http://127.0.0.1:1',
      settings: () => MODE_SETTINGS.default,
      publish: () => {},
    })
    const answer = await handle({ method: 'GET', url: 'http://proxy/', headers: [], body: new Uint8Array() })
    expect(answer.status).toBe(502)
    expect(text(answer.body)).toContain('cannot reach http://127.0.0.1:1')
  })
})
