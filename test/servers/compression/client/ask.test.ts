import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import {
  checkOffer,
  createAsk,
  readFields,
  totalBytes,
} from '../../../../src/servers/compression/client/ask.js'

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
      expect(text(weighed.content!)).toBe('a'.repeat(99))
      expect(weighed.headers[0]).toEqual(['Content-Encoding', 'gzip'])
      const { decoded, coded, framing, head } = weighed.bytes
      expect([decoded, coded]).toEqual([99, gzipSync('a'.repeat(99)).length])
      expect(Object.keys(weighed.bytes)).toEqual(['decoded', 'coded', 'framing', 'head'])
      expect(totalBytes(weighed.bytes)).toBe(coded + framing + head)
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

  it.each(['x-own', 'gzip, x-own', 'gzip, gzip, gzip, gzip'])(
    'counts a body in %s without decoding it',
    async coding => {
      await against(
        (_, response) => response.writeHead(200, { 'Content-Encoding': coding }).end('hi'),
        async url => {
          const weighed = await createAsk({})(url, { offer: 'gzip' })
          expect(weighed).toMatchObject({ contentEncoding: coding, bytes: { coded: 2 } })
          expect(weighed).not.toHaveProperty('content')
          expect(weighed.bytes).not.toHaveProperty('decoded')
        },
      )
    },
  )

  it('refuses a body that is not in its coding', async () => {
    await against(
      (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('hi'),
      async url => {
        await expect(createAsk({})(url, { offer: 'gzip' })).rejects.toMatchObject({
          kind: 'transport',
          code: 'EBADMSG',
          message: expect.stringContaining(`${new URL(url).origin} `),
        })
      },
    )
  })
})

describe('createAsk with --follow and -H', () => {
  const headers = [
    ['Authorization', 'Basic YTpi'],
    ['X-Own', '1'],
  ] as const

  it('follows redirects, and gives credentials to no other origin', async () => {
    const seen: (string | undefined)[] = []
    const last: RequestListener = ({ headers: got }, response) => {
      seen.push(`${got.authorization} ${got['x-own']}`)
      response.end('there')
    }
    await against(last, async other => {
      const first: RequestListener = ({ url, headers: got }, response) => {
        seen.push(`${got.authorization} ${got['x-own']}`)
        const location = url === '/a?b' ? '/second page' : other
        response.writeHead(url === '/a?b' ? 301 : 307, { location: location.replace(' ', '%20') }).end()
      }
      await against(first, async url => {
        const { status, redirects } = await createAsk({ headers, follow: true })(url, { offer: null })
        expect(status).toBe(200)
        expect(redirects).toEqual([
          { status: 301, location: new URL('/second%20page', url).href },
          { status: 307, location: other },
        ])
        expect((await createAsk({ headers })(url, { offer: null })).status).toBe(301)
      })
    })
    expect(seen.slice(0, 3)).toEqual(['Basic YTpi 1', 'Basic YTpi 1', 'undefined 1'])
  })

  it('ends a circle of redirects', async () => {
    await against(
      (_, response) => response.writeHead(302, { location: '/again' }).end(),
      async url => {
        await expect(createAsk({ follow: true })(url, { offer: null })).rejects.toMatchObject({
          code: 'ELOOP',
        })
      },
    )
  })

  it.each([
    ...['X', ': 1', 'X Y: 1', 'X: a\r\nY: b', 'X: \u010a', 'Content-Length: 5', 'transfer-encoding: chunked'],
  ])('refuses -H %j', field => {
    expect(() => readFields([field])).toThrow(expect.objectContaining({ kind: 'usage' }))
  })

  it('reads fields as curl writes them', () => {
    expect(readFields(['Accept:text/html', 'X-Empty:', 'Date: 10:11'])).toEqual([
      ['Accept', 'text/html'],
      ['X-Empty', ''],
      ['Date', '10:11'],
    ])
  })
})

it('totalBytes adds head, body, framing and TLS, without the handshake', () => {
  const bytes = { decoded: 1000, coded: 100, framing: 10, head: 1 }
  expect(totalBytes(bytes)).toBe(111)
  expect(totalBytes({ ...bytes, tls: 2000, handshake: { sent: 5, received: 5 } })).toBe(2111)
})

describe('checkOffer', () => {
  it.each([undefined, '', 'gzip;q=0.5,\tbr', '~', '\x80\xff'])('accepts %j', offer => {
    expect(() => checkOffer(offer)).not.toThrow()
  })

  it.each(['gzip\r\nX: 1', '\x00gzip', 'gzip\x7f', 'gzip\u0100', 'gzip\n'])('refuses %j', offer => {
    expect(() => checkOffer(offer)).toThrow(expect.objectContaining({ kind: 'usage' }))
  })
})
