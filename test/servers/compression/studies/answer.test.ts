import { describe, expect, it } from 'vitest'
import { measureAnswer } from '../../../../src/servers/compression/studies/answer.js'
import { type SentRequest, weighed } from './weighed.js'

const url = 'https://localhost:8443/kb/2'
const coded = weighed({
  contentEncoding: 'gzip',
  vary: 'Accept-Encoding',
  headers: [['Content-Encoding', 'gzip']],
  bytes: { decoded: 100, coded: 20, framing: 5, head: 70, tls: 22 },
})

describe('measureAnswer', () => {
  it('adds the bytes of a coded answer, and asks for the raw one', async () => {
    const sent: SentRequest[] = []
    const { answer, body } = await measureAnswer(url, { method: 'GET', offer: 'gzip' }, async (to, asked) => {
      sent.push({ url: to, ...asked })
      return asked.offer === 'identity' ? weighed() : coded
    })
    expect(answer).toEqual({
      method: 'GET',
      url,
      httpVersion: '1.1',
      offer: 'gzip',
      status: 200,
      contentEncoding: 'gzip',
      vary: 'Accept-Encoding',
      headers: coded.headers,
      bytes: coded.bytes,
      transferSize: 320,
      encodedBodySize: 20,
      decodedBodySize: 100,
      wireBytes: 20,
      totalBytes: 117,
      rawTotalBytes: 177,
      ms: 1.5,
    })
    expect(body).toBe(coded.body)
    expect(sent).toEqual([
      { url, method: 'GET', offer: 'gzip' },
      { url, method: 'GET', offer: 'identity' },
    ])
  })

  it.each([
    ['a raw answer', 'GET', weighed()],
    ['HEAD', 'HEAD', coded],
  ] as const)('asks once for %s', async (_, method, came) => {
    const sent: string[] = []
    const { answer } = await measureAnswer(url, { method, offer: 'gzip' }, async to => {
      sent.push(to)
      return came
    })
    expect(sent).toEqual([url])
    expect(answer).not.toHaveProperty('rawTotalBytes')
  })

  it('has no raw size when the server sends every answer coded', async () => {
    const { answer } = await measureAnswer(url, { method: 'GET', offer: 'gzip' }, async () => coded)
    expect(answer).not.toHaveProperty('rawTotalBytes')
  })
})
