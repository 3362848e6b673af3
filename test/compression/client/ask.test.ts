import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { checkOffer, createAsk } from '../../../src/compression/client/ask.js'
import { wireBytes } from '../../../src/compression/client/weigh.js'
import { text } from '../../../src/http/message.js'

async function against(answer: RequestListener, use: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/a?b`)
  } finally {
    server.close()
  }
}

describe('createAsk', () => {
  it('sends the offer and the headers of a study, and weighs the answer', async () => {
    const asked: unknown[] = []
    const answer: RequestListener = ({ method, url, httpVersion, rawHeaders }, response) => {
      asked.push({ method, url, httpVersion, headers: rawHeaders.slice(2) })
      response.sendDate = false
      response.writeHead(200, { 'Content-Encoding': 'gzip', Vary: 'Accept-Encoding' })
      response.end(gzipSync('a'.repeat(99)))
    }
    await against(answer, async url => {
      const ask = createAsk({ timeoutMs: 5000 })
      const weighed = await ask(url, { offer: 'gzip', headers: [['X-Own', '1']] })
      expect(weighed).toMatchObject({
        status: 200,
        httpVersion: '1.1',
        contentEncoding: 'gzip',
        vary: 'Accept-Encoding',
        body: gzipSync('a'.repeat(99)),
      })
      expect(text(weighed.content)).toBe('a'.repeat(99))
      expect(weighed.headers[0]).toEqual(['Content-Encoding', 'gzip'])
      const { decoded, coded, framing, head } = weighed.bytes
      expect([decoded, coded]).toEqual([99, gzipSync('a'.repeat(99)).length])
      expect(Object.keys(weighed.bytes)).toEqual(['decoded', 'coded', 'framing', 'head'])
      expect(wireBytes(weighed.bytes)).toBe(coded + framing + head)
      await ask(url, { method: 'HEAD', offer: null, httpVersion: '1.0' })
      expect(asked).toEqual([
        {
          method: 'GET',
          url: '/a?b',
          httpVersion: '1.1',
          headers: ['Accept-Encoding', 'gzip', 'X-Own', '1'],
        },
        { method: 'HEAD', url: '/a?b', httpVersion: '1.0', headers: [] },
      ])
    })
  })

  it('returns no coding and no Vary for an answer without them', async () => {
    await against(
      (_, response) => response.end('hi'),
      async url => {
        const weighed = await createAsk({})(url, { offer: '' })
        expect(weighed).toMatchObject({ contentEncoding: null, vary: null, bytes: { decoded: 2, coded: 2 } })
      },
    )
  })

  it.each([
    ['gzip', 'EBADMSG'],
    ['x-own', 'ENOTSUP'],
    ['gzip, gzip, gzip, gzip', 'ENOTSUP'],
  ])('refuses a body that is not in its coding %s', async (coding, code) => {
    await against(
      (_, response) => response.writeHead(200, { 'Content-Encoding': coding }).end('hi'),
      async url => {
        await expect(createAsk({})(url, { offer: 'gzip' })).rejects.toMatchObject({
          kind: 'transport',
          code,
          message: expect.stringContaining(`${new URL(url).origin} `),
        })
      },
    )
  })
})

describe('wireBytes', () => {
  it('adds head, body, framing and TLS, without the handshake', () => {
    const bytes = { decoded: 1000, coded: 100, framing: 10, head: 1 }
    expect(wireBytes(bytes)).toBe(111)
    expect(wireBytes({ ...bytes, tls: 2000, handshake: { sent: 5, received: 5 } })).toBe(2111)
  })
})

describe('checkOffer', () => {
  it.each([undefined, '', 'gzip;q=0.5,\tbr', '~', '\x80\xff'])('accepts %j', offer => {
    expect(() => checkOffer(offer)).not.toThrow()
  })

  it.each(['gzip\r\nX: 1', '\x00gzip', 'gzip\x7f', 'gzip\u0100', 'gzip\n'])('refuses %j', offer => {
    expect(() => checkOffer(offer)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })
})
