import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encode } from '../../src/compression/codings.js'
import { createCompressResponse } from '../../src/compression/compress-response.js'
import { withPayloads } from '../../src/compression/payload.js'
import {
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  text,
  textResponse,
} from '../../src/http/message.js'
import { recordingSite } from '../support/ask.js'

const request = (path: string, acceptEncoding?: string, method = 'GET'): HttpRequest => ({
  method,
  url: `https://localhost:8443${path}`,
  headers: acceptEncoding === undefined ? [] : [['Accept-Encoding', acceptEncoding]],
  body: new Uint8Array(),
})

const site = recordingSite(
  withPayloads({ name: 'authorization', handle: async () => textResponse(200, 'the site itself') }),
)
const compress = createCompressResponse()

async function coded(answer: HttpResponse, acceptEncoding = 'gzip'): Promise<HttpResponse> {
  return compress(request('/', acceptEncoding), answer)
}

describe('the payload', () => {
  it.each([
    ['gzip', 1, 38],
    ['gzip', 2, 48],
    ['gzip', 200, 935],
    ['br', 2, 22],
  ])('in %s at kb=%i has %i bytes', async (coding, kb, size) => {
    const asked = request(`/kb/${kb}`, coding)
    const answer = await compress(asked, await site.handle(asked))
    expect(header(answer, 'content-encoding')).toBe(coding)
    expect(header(answer, 'vary')).toBe('Accept-Encoding')
    expect(answer.body).toHaveLength(size)
    const decode = coding === 'gzip' ? gunzipSync : brotliDecompressSync
    expect(text(decode(answer.body))).toBe('a'.repeat(kb * 1024))
  })

  it('without an offer is raw, and says that it varies', async () => {
    const answer = await compress(request('/kb/2'), await site.handle(request('/kb/2')))
    expect(answer.body).toHaveLength(2048)
    expect(header(answer, 'content-encoding')).toBeUndefined()
    expect(header(answer, 'vary')).toBe('Accept-Encoding')
    expect(header(answer, 'content-type')).toBe('text/plain; charset=utf-8')
  })

  it('is empty at 0, and at most 10 MiB', async () => {
    expect((await site.handle(request('/kb/0'))).body).toHaveLength(0)
    expect((await site.handle(request('/kb/10240'))).body).toHaveLength(10 * 1024 * 1024)
  })

  it.each(['-1', '1e9', '0x2', '2.0', '10241', '', '%2e%2e', ' 2', '2%00', '+2', '9'.repeat(400)])(
    'of %j is refused in words',
    async kb => {
      const answer = await site.handle(request(`/kb/${kb}`))
      expect(answer.status).toBe(400)
      expect(header(answer, 'content-type')).toMatch(/^text\/plain/)
      expect(text(answer.body)).toContain('0 to 10240')
    },
  )

  it('knows no other method and no deeper path; other paths are the site’s', async () => {
    expect((await site.handle(request('/kb/2', undefined, 'POST'))).status).toBe(405)
    expect((await site.handle(request('/kb/2/3'))).status).toBe(404)
    expect(text((await site.handle(request('/kb'))).body)).toBe('the site itself')
  })
})

describe('compressResponse', () => {
  const typed = (type: string, headers: HttpResponse['headers'] = []): HttpResponse => ({
    status: 200,
    headers: [['content-type', type], ...headers],
    body: Buffer.from('{"keys":[]}'),
  })

  it.each([
    'text/html; charset=utf-8',
    'application/json;charset=UTF-8',
    'text/css',
    'image/svg+xml',
    'application/jwk-set+json',
    'application/xml',
  ])('codes %s', async type => {
    expect(header(await coded(typed(type)), 'content-encoding')).toBe('gzip')
  })

  it.each(['image/png', 'application/octet-stream', 'text/event-stream', ''])(
    'leaves %j alone',
    async type => {
      const answer = typed(type)
      expect(await coded(answer)).toBe(answer)
    },
  )

  it('leaves alone what is coded already, what forbids it, and what has no body', async () => {
    for (const answer of [
      typed('text/plain', [['Content-Encoding', 'br']]),
      typed('text/plain', [['Cache-Control', 'no-store, no-transform']]),
      { ...typed('text/plain'), status: 204 },
      { ...typed('text/plain'), status: 304 },
      { ...typed('text/plain'), status: 206 },
    ]) {
      expect(await coded(answer)).toBe(answer)
    }
  })

  it('weakens a strong ETag of a coded answer, and keeps a weak one', async () => {
    expect(header(await coded(typed('text/plain', [['ETag', '"a"']])), 'etag')).toBe('W/"a"')
    expect(header(await coded(typed('text/plain', [['ETag', 'W/"a"']])), 'etag')).toBe('W/"a"')
    expect(header(await coded(typed('text/plain', [['ETag', '"a"']]), ''), 'etag')).toBe('"a"')
  })

  it('names Accept-Encoding in Vary once', async () => {
    const answer = await coded(typed('text/plain', [['vary', 'Origin, accept-encoding']]))
    expect(headerValues(answer, 'vary')).toEqual(['Origin, accept-encoding'])
  })

  it('keeps the codings of a kept answer apart, however often it is asked for', async () => {
    const answer = { ...typed('text/plain', [['ETag', '"a"']]), body: Buffer.from('kept'.repeat(50)) }
    for (const offer of ['gzip', 'br', '', 'gzip', 'br', 'gzip', 'gzip;q=0', 'br', '*', 'gzip']) {
      const came = await coded(answer, offer)
      const coding = header(came, 'content-encoding')
      expect(coding).toBe({ gzip: 'gzip', br: 'br', '*': 'br' }[offer])
      const decode = coding === 'gzip' ? gunzipSync : brotliDecompressSync
      expect(text(coding === undefined ? came.body : decode(came.body))).toBe('kept'.repeat(50))
      expect(headerValues(came, 'vary')).toEqual(['Accept-Encoding'])
      expect(header(came, 'etag')).toBe(coding === undefined ? '"a"' : 'W/"a"')
    }
  })

  it('codes a body that is kept once', async () => {
    const body = Buffer.from('kept')
    const first = await coded({ ...typed('text/plain'), body })
    const second = await coded({ ...typed('text/plain'), body })
    expect(second.body).toBe(first.body)
  })
})

describe('encode', () => {
  it('is undone by every decoder of the coding', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 5000 }), async body => {
        expect(new Uint8Array(gunzipSync(await encode('gzip', body)))).toEqual(body)
        expect(new Uint8Array(brotliDecompressSync(await encode('br', body)))).toEqual(body)
      }),
    )
  })
})
