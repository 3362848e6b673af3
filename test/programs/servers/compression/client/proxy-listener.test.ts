import { createServer, get, type IncomingMessage, type RequestListener } from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { listen } from '../../../../../src/lab/listening/listen.js'
import type { NewEvent } from '../../../../../src/protocol/events.js'
import { createProxySite } from '../../../../../src/servers/compression/client/proxy-site.js'
import { MODE_SETTINGS, type ProxyMode } from '../../../../../src/servers/compression/proxy/modes.js'
import { recordingBus } from '../../../../support/ask.js'
import { temporaryFolder, until } from '../../../../support/program.js'

/** Runs `use` with a proxy that listens, in front of a server. */
async function proxied(
  mode: ProxyMode,
  answer: RequestListener,
  use: (url: string, events: NewEvent[]) => Promise<void>,
): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const folder = temporaryFolder()
  const events: NewEvent[] = []
  const listener = await listen({
    hosts: ['127.0.0.1'],
    port: 0,
    portOption: '--port',
    bodyLimit: 1000,
    home: folder.path,
    baseUrl: each => `http://127.0.0.1:${each}`,
    site: () => createProxySite({ upstream, settings: () => MODE_SETTINGS[mode] }),
    events: recordingBus(events),
    crashed: error => {
      throw error
    },
  })
  try {
    await use(listener.baseUrl, events)
  } finally {
    server.closeAllConnections()
    server.close()
    await listener.stop()
    folder.remove()
  }
}

const answerOf = (url: string, headers = {}) =>
  new Promise<IncomingMessage>((resolve, reject) =>
    get(url, { headers, agent: false }, resolve).on('error', reject),
  )

describe('a proxy that listens', () => {
  it('sends the first event of a stream before the second is made', async () => {
    let more = () => {}
    const answer: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
      more = () => response.end('data: 2\n\n')
    }
    await proxied('default', answer, async (url, events) => {
      const message = await answerOf(url)
      const pieces: string[] = []
      message.setEncoding('utf8')
      for await (const piece of message) {
        pieces.push(piece)
        if (pieces.length === 1) more()
      }
      expect(pieces).toEqual(['data: 1\n\n', 'data: 2\n\n'])
      const answered = await until(
        () => events.find(({ type }) => type === 'request.answered'),
        () => JSON.stringify(events),
      )
      expect(answered).toMatchObject({ wireBytes: 18, bodyBytes: 18 })
    })
  })

  it('keeps Content-Length of a body that passes, and ends an HTTP/1.0 answer with the connection', async () => {
    const answer: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': 5 }).end('hello')
    }
    await proxied('gzip', answer, async url => {
      expect((await answerOf(url)).headers).toMatchObject({ 'content-length': '5' })
      const { port } = new URL(url)
      const text = await new Promise<string>((resolve, reject) => {
        let read = ''
        const socket = net.connect(Number(port), '127.0.0.1', () =>
          socket.write('GET / HTTP/1.0\r\nHost: a\r\n\r\n'),
        )
        socket.on('data', chunk => {
          read += chunk
        })
        socket.on('end', () => resolve(read)).on('error', reject)
      })
      expect(text).toMatch(/\r\n\r\nhello$/)
      expect(text).not.toMatch(/transfer-encoding/i)
    })
  })

  it('closes the connection to the upstream when the client leaves', async () => {
    let closed = false
    const answer: RequestListener = (message, response) => {
      message.socket.on('close', () => {
        closed = true
      })
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1\n\n')
    }
    await proxied('default', answer, async (url, events) => {
      const message = await answerOf(url)
      message.once('data', () => message.destroy())
      await until(
        () => closed || undefined,
        () => JSON.stringify(events),
      )
      expect(events.find(({ type }) => type === 'proxy.passed')).toMatchObject({
        did: 'failed',
        why: 'the client left before the end',
      })
    })
  })

  it('decodes ten bombs at once within 200 MB', async () => {
    const bomb = Buffer.concat(Array<Buffer>(64).fill(gzipSync(Buffer.alloc(1_048_576))))
    const answer: RequestListener = (_, response) => {
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/plain' }).end(bomb)
    }
    await proxied('gunzip', answer, async url => {
      const before = process.memoryUsage().rss
      let most = before
      const bodies = Array.from({ length: 10 }, async () => {
        let length = 0
        for await (const piece of await answerOf(url)) {
          length += piece.length
          most = Math.max(most, process.memoryUsage().rss)
        }
        return length
      })
      expect(new Set(await Promise.all(bodies))).toEqual(new Set([64 * 1_048_576]))
      expect(most - before).toBeLessThan(200_000_000)
    })
  }, 60_000)
})
