import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  type HeaderList,
  type HttpRequest,
  type HttpResponse,
  header,
} from '../../../../src/protocol/http/message.js'
import { MODE_SETTINGS, type ProxyMode } from '../../../../src/servers/compression/proxy/modes.js'
import { upstreamRequest } from '../../../../src/servers/compression/proxy/proxy.js'
import { proxyAnswer } from './answer.js'

const request = (headers: HeaderList, httpVersion = '1.1'): HttpRequest => ({
  method: 'GET',
  url: 'http://proxy/x',
  headers,
  httpVersion,
  body: new Uint8Array(),
})
const offering = (...values: string[]) => request(values.map(value => ['Accept-Encoding', value] as const))
const answering = (headers: HeaderList, body = 'a'.repeat(500), status = 200): HttpResponse => ({
  status,
  headers: [['Content-Type', 'text/plain; charset=utf-8'], ...headers],
  body: Buffer.from(body),
})

// Measured with nginx 1.22.1: it takes the charset off, and compares the rest whole.
it.each([
  ['application/json', 'gzip'],
  ['application/json; charset=utf-8', 'gzip'],
  ['application/json; version=1', undefined],
  ['text/html; profile=x', undefined],
])('by gzip_types an answer of type %s is coded as %s', async (type, coding) => {
  const settings = {
    ...MODE_SETTINGS.gzip,
    gzip: { ...MODE_SETTINGS.gzip.gzip!, types: ['application/json'] },
  }
  const answer = {
    status: 200,
    headers: [['Content-Type', type]] as const,
    body: Buffer.from('a'.repeat(5000)),
  }
  const { answer: coded } = await proxyAnswer(settings, offering('gzip'), answer)
  expect(header(coded, 'content-encoding')).toBe(coding)
})

describe('upstreamRequest', () => {
  const asked = request([
    ['Host', 'proxy'],
    ['Accept-Encoding', 'br'],
    ['Connection', 'close, X-Own'],
    ['X-Own', '1'],
    ['Cookie', 'a=b'],
  ])

  it.each([
    ['default', 'br'],
    ['force', 'gzip'],
    ['gzip-strip', undefined],
  ] as const)('in mode %s asks the upstream for %s', (mode, expected) => {
    const sent = upstreamRequest(MODE_SETTINGS[mode], asked, 'https://localhost:8443', '/kb/2?x=%20')
    expect(header(sent, 'accept-encoding')).toBe(expected)
    expect(sent.url).toBe('https://localhost:8443/kb/2?x=%20')
  })

  it('leaves out the headers of the connection', () => {
    const sent = upstreamRequest(MODE_SETTINGS.default, asked, 'https://localhost:8443', '/')
    expect(sent.headers).toEqual([
      ['Accept-Encoding', 'br'],
      ['Cookie', 'a=b'],
    ])
  })

  it.each([
    ...['Host', 'Content-Length', 'EXPECT', 'Connection', 'Keep-Alive', 'proxy-connection', 'TE', 'Trailer'],
    ...['Transfer-Encoding', 'Upgrade'],
  ])('does not forward %s', name => {
    const sent = upstreamRequest(MODE_SETTINGS.default, request([[name, 'x']]), 'http://a', '/')
    expect(sent.headers).toEqual([])
  })

  it('forwards method and body, and names the upstream in the URL', () => {
    const body = Buffer.from('a=b')
    const post = { ...request([['Content-Type', 'text/plain']]), method: 'POST', body }
    expect(upstreamRequest(MODE_SETTINGS.force, post, 'http://a', '/b?c')).toEqual({
      method: 'POST',
      url: 'http://a/b?c',
      headers: [
        ['Content-Type', 'text/plain'],
        ['Accept-Encoding', 'gzip'],
      ],
      body,
    })
  })

  it('replaces every Accept-Encoding of the client', () => {
    const twice = request([
      ['accept-encoding', 'br'],
      ['X-Own', '1'],
      ['Accept-Encoding', 'zstd'],
    ])
    expect(upstreamRequest(MODE_SETTINGS.force, twice, 'http://a', '/').headers).toEqual([
      ['X-Own', '1'],
      ['Accept-Encoding', 'gzip'],
    ])
    expect(upstreamRequest(MODE_SETTINGS['gzip-strip'], twice, 'http://a', '/').headers).toEqual([
      ['X-Own', '1'],
    ])
  })
})

describe('proxyAnswer', () => {
  const compressed = (answer: HttpResponse, mode: 'gzip' | 'ingress' = 'gzip') =>
    proxyAnswer(MODE_SETTINGS[mode], offering('gzip'), answer).then(({ did }) => did === 'compressed')

  it('compresses from 20 bytes of Content-Length on, and any answer without one', async () => {
    const sized = (length: number) => answering([['Content-Length', String(length)]], 'a'.repeat(length))
    expect(await compressed(sized(19))).toBe(false)
    expect(await compressed(sized(20))).toBe(true)
    expect(await compressed(sized(255), 'ingress')).toBe(false)
    expect(await compressed(answering([], ''))).toBe(true)
    const { answer } = await proxyAnswer(MODE_SETTINGS.gzip, offering('gzip'), answering([], ''))
    expect(answer.body).toHaveLength(20)
  })

  it('does not compress an answer that comes coded, even as identity', async () => {
    expect(await compressed(answering([['Content-Encoding', 'identity']]))).toBe(false)
    expect(await compressed(answering([['Content-Encoding', 'x-own']]))).toBe(false)
  })

  it('compresses text/html and the types of gzip_types, whatever their case and parameters', async () => {
    const typed = (type: string): HttpResponse => ({
      ...answering([]),
      headers: type === '' ? [] : [['content-type', type]],
    })
    const types = ['text/html', 'TEXT/HTML; charset=x', 'text/css', 'Application/JSON;charset=UTF-8']
    for (const type of types) expect([type, await compressed(typed(type))]).toEqual([type, true])
    for (const type of ['', 'image/png', 'text/javascript', 'html', 'application/jwk-set+json']) {
      expect([type, await compressed(typed(type))]).toEqual([type, false])
    }
    expect(await compressed(typed('text/javascript'), 'ingress')).toBe(true)
  })

  it('compresses at the level of its settings', async () => {
    const words = Array.from({ length: 3000 }, (_, n) => `word${(n * n) % 997}`).join(' ')
    const size = async (level: number) => {
      const gzip = { ...MODE_SETTINGS.gzip.gzip!, level }
      const settings = { ...MODE_SETTINGS.gzip, gzip }
      return (await proxyAnswer(settings, offering('gzip'), answering([], words))).answer.body.length
    }
    expect(await size(1)).toBeGreaterThan(await size(9))
  })

  it('adds Vary before the headers of an answer that could be compressed', async () => {
    const { answer } = await proxyAnswer(MODE_SETTINGS['gzip-vary'], offering(), answering([]))
    expect(answer.headers[0]).toEqual(['Vary', 'Accept-Encoding'])
    const image = answering([], 'a', 500)
    const { answer: same } = await proxyAnswer(MODE_SETTINGS['gzip-vary'], offering(), image)
    expect(same.headers).toEqual(image.headers)
  })

  it('removes Content-Length from an answer that it recodes', async () => {
    const raw = answering([['Content-Length', '500']])
    const { answer } = await proxyAnswer(MODE_SETTINGS.gzip, offering('gzip'), raw)
    expect(header(answer, 'content-length')).toBeUndefined()
    const coded = answering([['content-encoding', 'gzip']])
    const { answer: decoded } = await proxyAnswer(MODE_SETTINGS.gunzip, offering(), {
      ...coded,
      headers: [...coded.headers, ['content-length', '23'], ['accept-ranges', 'bytes']],
      body: gzipSync('a'),
    })
    expect(decoded.headers).toEqual([['Content-Type', 'text/plain; charset=utf-8']])
    expect(String(decoded.body)).toBe('a')
  })

  it.each([
    ['"v1"', 'W/"v1"'],
    ['""', 'W/""'],
    ['W/"v1"', 'W/"v1"'],
    ['W/v1', 'W/v1'],
    ['"', undefined],
    ['v1', undefined],
    ['xW/"v1"', undefined],
    ['', undefined],
  ])('turns the ETag %j of a recoded answer into %j', async (tag, expected) => {
    const { answer } = await proxyAnswer(MODE_SETTINGS.gzip, offering('gzip'), answering([['etag', tag]]))
    expect(header(answer, 'etag')).toBe(expected)
  })

  it('reports its action and the codings of an answer that it forwards', async () => {
    const through = async (mode: ProxyMode, answer: HttpResponse, offer = 'br') =>
      proxyAnswer(MODE_SETTINGS[mode], offering(offer), answer)
    const coded = { ...answering([['Content-Encoding', 'gzip']]), body: gzipSync('a') }
    const twice = { ...answering([['Content-Encoding', 'gzip, gzip']]), body: gzipSync(gzipSync('a')) }
    const unknown = answering([['Content-Encoding', 'x-own, x-two']])
    expect(await through('gunzip', coded)).toMatchObject({ did: 'decompressed' })
    expect(await through('gunzip', coded, 'gzip')).toMatchObject({ did: 'passed', answer: coded })
    expect(await through('default', coded)).toMatchObject({ did: 'passed', answer: coded })
    expect(await through('gunzip', twice)).toMatchObject({ did: 'passed', answer: twice })
    expect((await through('default', unknown)).why).toContain('x-own, x-two')
    expect((await through('gzip', answering([]))).did).toBe('passed')
    expect((await through('gzip', answering([]), 'gzip')).did).toBe('compressed')
  })

  it('does not decode an answer that has no whole body', async () => {
    const coded: HeaderList = [['Content-Encoding', 'gzip']]
    const empty = answering(coded, '')
    const head = { ...offering(), method: 'HEAD' }
    const { answer, did } = await proxyAnswer(MODE_SETTINGS.gunzip, head, empty)
    expect([did, answer.body.length, header(answer, 'content-encoding')]).toEqual([
      'decompressed',
      0,
      undefined,
    ])
    for (const status of [204, 304]) {
      expect(await proxyAnswer(MODE_SETTINGS.default, offering(), { ...empty, status })).toMatchObject({
        did: 'passed',
      })
    }
    const part = { ...answering(coded, 'part'), status: 206 }
    expect(await proxyAnswer(MODE_SETTINGS.default, offering(), part)).toMatchObject({ did: 'passed' })
  })

  it('does not compress the body of HEAD', async () => {
    const head = { ...offering('gzip'), method: 'HEAD' }
    const { answer } = await proxyAnswer(MODE_SETTINGS.gzip, head, answering([], ''))
    expect(answer.body).toHaveLength(0)
    expect(header(answer, 'content-encoding')).toBe('gzip')
  })

  it('decodes for requests with Via, unless its own gzip serves proxies', async () => {
    const via = request([
      ['Accept-Encoding', 'gzip'],
      ['Via', '1.1 other'],
    ])
    const coded = { ...answering([['Content-Encoding', 'gzip']]), body: gzipSync('a') }
    const serving = { ...MODE_SETTINGS.ingress, gunzip: true }
    expect((await proxyAnswer(MODE_SETTINGS.gunzip, via, coded)).did).toBe('decompressed')
    expect((await proxyAnswer(serving, via, coded)).did).toBe('passed')
  })

  it.each([
    ['X Bad', 'a'],
    ['', 'a'],
    ['X-Bad:', 'a'],
    ['(X-Bad', 'a'],
    ['X-Bad', 'a\x00'],
    ['X-Bad', 'a\r\nX: b'],
    ['X-Bad', '\x7fa'],
    ['X-Bad', 'a\u0100'],
  ])('refuses the header field %j: %j of an upstream', async (name, value) => {
    await expect(
      proxyAnswer(MODE_SETTINGS.default, offering(), answering([[name, value]])),
    ).rejects.toMatchObject({ name: 'UpstreamError' })
  })

  it('forwards every character that a header field may have', async () => {
    const fine = answering([
      ["!#$%&'*+.^_`|~09AZaz-", '\t ~\x80\xff'],
      ['X-Empty', ''],
    ])
    expect((await proxyAnswer(MODE_SETTINGS.default, offering(), fine)).answer).toEqual(fine)
  })

  it.each([201, 206, 302, 401, 500])('leaves status %i alone', async status => {
    expect(await compressed(answering([], 'a'.repeat(500), status))).toBe(false)
  })

  it.each([200, 403, 404])('compresses status %i', async status => {
    expect(await compressed(answering([], 'a'.repeat(500), status))).toBe(true)
  })

  it('ignores no-transform, as nginx does', async () => {
    expect(await compressed(answering([['Cache-Control', 'no-transform']]))).toBe(true)
  })

  it('does not pass on the connection’s own headers', async () => {
    const { answer } = await proxyAnswer(
      MODE_SETTINGS.default,
      offering(),
      answering([
        ['Transfer-Encoding', 'chunked'],
        ['Connection', 'keep-alive, X-Own , x-two'],
        ['x-own', '1'],
        ['X-Two', '1'],
        ['X-Kept', '1'],
      ]),
    )
    expect(answer.headers.map(([name]) => name)).toEqual(['Content-Type', 'X-Kept'])
  })

  it('never takes the coding off a part, which it cannot decode', async () => {
    const part = {
      ...answering([['Content-Encoding', 'gzip']]),
      status: 206,
      body: gzipSync('a'.repeat(99)).subarray(4),
    }
    await expect(proxyAnswer(MODE_SETTINGS.gunzip, offering(), part)).rejects.toThrow('a part')
    const { answer } = await proxyAnswer(MODE_SETTINGS.gunzip, offering('gzip'), part)
    expect(header(answer, 'content-encoding')).toBe('gzip')
    expect(answer.body).toBe(part.body)
  })
})
