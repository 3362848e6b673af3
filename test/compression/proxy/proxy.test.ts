import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MODE_SETTINGS } from '../../../src/compression/proxy/modes.js'
import { nginxConf } from '../../../src/compression/proxy/nginx-conf.js'
import { proxyAnswer, upstreamRequest } from '../../../src/compression/proxy/proxy.js'
import { takesGzip } from '../../../src/compression/proxy/takes-gzip.js'
import { type HeaderList, type HttpRequest, type HttpResponse, header } from '../../../src/http/message.js'

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

describe('takesGzip', () => {
  it.each([
    'gzip',
    'GZIP',
    'gzip, br',
    'gzip,br',
    'br, gzip',
    'identity, gzip;q=0.5',
    'br;q=1, gzip;q=0.1',
    'gzip;q=1.000',
    'gzip ; q=0.001',
    'gzip;',
  ])('takes %j', value => {
    expect(takesGzip(offering(value), false).takes).toBe(true)
  })

  it.each([
    '',
    '*',
    'x-gzip',
    'xgzip',
    'gzip-foo',
    'deflate',
    'gzip;q=0',
    'gzip;q=0.000',
    'gzip;q=abc',
    'gzip;q=2',
    'gzip;q=.5',
    'gzip;q=0.0000',
    'gzip;q=1.5',
    'gzip;q=-1',
    'gzip\t;\tq=0',
  ])('does not take %j', value => {
    expect(takesGzip(offering(value), false).takes).toBe(false)
  })

  it('reads the first field line only', () => {
    expect(takesGzip(offering('br', 'gzip'), false).takes).toBe(false)
    expect(takesGzip(offering('gzip', 'br'), false).takes).toBe(true)
  })

  it('gives a reason for any value', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), value => {
        const verdict = takesGzip(offering(value), false)
        if (!verdict.takes) expect(verdict.why).not.toBe('')
      }),
    )
  })
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

  it.each([201, 202, 206, 302, 400, 401, 410, 500, 502])('leaves status %i alone', async status => {
    expect(await compressed(answering([], 'a'.repeat(500), status))).toBe(false)
  })

  it.each([200, 403, 404])('compresses status %i', async status => {
    expect(await compressed(answering([], 'a'.repeat(500), status))).toBe(true)
  })

  it('ignores no-transform, weakens the ETag and drops Accept-Ranges, as nginx does', async () => {
    const { answer } = await proxyAnswer(
      MODE_SETTINGS.gzip,
      offering('gzip'),
      answering([
        ['Cache-Control', 'no-transform'],
        ['ETag', '"v1"'],
        ['Accept-Ranges', 'bytes'],
      ]),
    )
    expect(header(answer, 'content-encoding')).toBe('gzip')
    expect(header(answer, 'etag')).toBe('W/"v1"')
    expect(header(answer, 'accept-ranges')).toBeUndefined()
  })

  it('does not pass on the connection’s own headers', async () => {
    const { answer } = await proxyAnswer(
      MODE_SETTINGS.default,
      offering(),
      answering([
        ['Transfer-Encoding', 'chunked'],
        ['Connection', 'keep-alive'],
        ['X-Kept', '1'],
      ]),
    )
    expect(answer.headers.map(([name]) => name)).toEqual(['Content-Type', 'X-Kept'])
  })

  it('refuses a body that is labelled gzip and is not', async () => {
    const lying = answering([['Content-Encoding', 'gzip']], 'plain text')
    await expect(proxyAnswer(MODE_SETTINGS.gunzip, offering(), lying)).rejects.toThrow('says gzip')
    const whole = gzipSync('a'.repeat(5000))
    const cut = { ...lying, body: whole.subarray(0, whole.length - 9) }
    await expect(proxyAnswer(MODE_SETTINGS.gunzip, offering(), cut)).rejects.toThrow('says gzip')
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

  it('refuses a small body that decodes to more than 64 MiB', async () => {
    const bomb = { ...answering([['Content-Encoding', 'gzip']]), body: gzipSync(Buffer.alloc(65 * 1048576)) }
    await expect(proxyAnswer(MODE_SETTINGS.gunzip, offering(), bomb)).rejects.toThrow('64 MiB')
  })
})

describe('nginxConf', () => {
  it('writes the settings, and none that are the defaults of nginx', () => {
    expect(nginxConf(MODE_SETTINGS['gzip-strip'], { port: 8081, upstream: 'http://127.0.0.1:9000' })).toBe(
      `events {}
http {
  server {
    listen 127.0.0.1:8081;
    location / {
      proxy_set_header Accept-Encoding "";
      gzip on;
      gzip_comp_level 1;
      gzip_min_length 20;
      gzip_types text/plain text/css text/xml application/json application/javascript image/svg+xml;
      gzip_http_version 1.1;
      proxy_pass http://127.0.0.1:9000;
    }
  }
}
`,
    )
  })
})
