import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type HttpRequest,
  type HttpResponse,
  header,
  headerValues,
  text,
  textResponse,
} from '../../../src/protocol/http/message.js'
import { createCompressResponse, encode } from '../../../src/servers/compression/compress-response.js'
import { withPayloads } from '../../../src/servers/compression/payload.js'
import { recordingSite } from '../../support/ask.js'
import { forAll } from '../../support/for-all.js'

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

describe('a payload', () => {
  it.each([
    ['gzip', 1, 38],
    ['gzip', 2, 48],
    ['gzip', 200, 935],
    ['br', 2, 22],
  ])('in %s at kb=%i has %i body bytes', async (coding, kb, size) => {
    const asked = request(`/kb/${kb}`, coding)
    const answer = await compress(asked, await site.handle(asked))
    expect(header(answer, 'content-encoding')).toBe(coding)
    expect(header(answer, 'vary')).toBe('Accept-Encoding')
    expect(answer.body).toHaveLength(size)
    const decode = coding === 'gzip' ? gunzipSync : brotliDecompressSync
    expect(text(decode(answer.body))).toBe('a'.repeat(kb * 1024))
  })

  it('is raw without an offer, and has Vary', async () => {
    const answer = await compress(request('/kb/2'), await site.handle(request('/kb/2')))
    expect(answer.body).toHaveLength(2048)
    expect(header(answer, 'content-encoding')).toBeUndefined()
    expect(header(answer, 'vary')).toBe('Accept-Encoding')
    expect(header(answer, 'content-type')).toBe('text/plain; charset=utf-8')
  })

  it('has 0 bytes to 10 MiB', async () => {
    expect((await site.handle(request('/kb/0'))).body).toHaveLength(0)
    expect((await site.handle(request('/kb/10240'))).body).toHaveLength(10 * 1024 * 1024)
  })

  it.each(['-1', '1e9', '2.0', '10241', '', '%2e%2e', ' 2', '9'.repeat(400)])(
    'of the size %j is refused with the limits',
    async kb => {
      const answer = await site.handle(request(`/kb/${kb}`))
      expect(answer.status).toBe(400)
      expect(header(answer, 'content-type')).toMatch(/^text\/plain/)
      expect(text(answer.body)).toContain('0 to 10240')
    },
  )

  it.each(['1a', 'a1', '1\n', '١'])('of the size %j is refused', async kb => {
    expect((await site.handle(request(`/kb/${kb}`))).status).toBe(400)
  })

  it('is served for GET only, at this path only; the site serves other paths', async () => {
    expect((await site.handle(request('/kb/2', undefined, 'POST'))).status).toBe(405)
    expect((await site.handle(request('/kb/2/3'))).status).toBe(404)
    expect((await site.handle(request('/kb/2?x=/y'))).body).toHaveLength(2048)
    expect(text((await site.handle(request('/kb'))).body)).toBe('the site itself')
    expect(text((await site.handle(request('/a/kb/2'))).body)).toBe('the site itself')
    expect(site.name).toBe('authorization')
  })

  it('has the same body object while the latest payloads have 32 MiB or less', async () => {
    const { handle } = recordingSite(withPayloads({ name: 'a', handle: async () => textResponse(404, '') }))
    const bodies = new Map<number, Uint8Array>()
    /** True when the body of this size is the same object as the last time. */
    const isKept = async (kb: number): Promise<boolean> => {
      const { body } = await handle(request(`/kb/${kb}`))
      const kept = bodies.get(kb) === body
      bodies.set(kb, body)
      return kept
    }
    const kept = async (...sizes: number[]) => {
      const all: boolean[] = []
      for (const kb of sizes) all.push(await isKept(kb))
      return all
    }
    expect(await kept(10_240, 10_239, 10_238, 2051)).toEqual([false, false, false, false])
    expect(await kept(10_238, 10_240)).toEqual([true, true])
    // 10,239 is the oldest size now, and one more byte is too many.
    expect(await kept(1)).toEqual([false])
    expect(await kept(2051, 10_238, 10_240, 1)).toEqual([true, true, true, true])
    expect(await kept(10_239)).toEqual([false])
  })
})

describe('createCompressResponse', () => {
  const typed = (type: string, headers: HttpResponse['headers'] = []): HttpResponse => ({
    status: 200,
    headers: [['content-type', type], ...headers],
    body: Buffer.from('{"keys":[]}'),
  })

  it.each([
    ...['text/html; charset=utf-8', 'application/json;charset=UTF-8', 'image/svg+xml'],
    ...['application/jwk-set+json'],
    ...['application/xml', 'application/javascript', 'application/wasm', 'text/event-stream-log', 'TEXT/CSV'],
  ])('encodes %s', async type => {
    expect(header(await coded(typed(type)), 'content-encoding')).toBe('gzip')
  })

  it.each([
    ...['image/png', 'text/event-stream', 'text/event-stream; charset=utf-8', 'application/jsonp', ''],
    ...['x-application/json', 'application/json+zip', 'application/a+jsonp', 'model/text/plain'],
  ])('returns an answer of type %j unchanged', async type => {
    const answer = typed(type)
    expect(await coded(answer)).toBe(answer)
  })

  it.each<[string, Partial<HttpResponse>]>([
    ['that is encoded', typed('text/plain', [['Content-Encoding', 'br']])],
    ['with no-transform', typed('text/plain', [['Cache-Control', 'no-transform']])],
    [
      'with no-transform in a list',
      typed('text/plain', [['Cache-Control', 'no-store,No-Transform , private']]),
    ],
    [
      'with no-transform in a second field',
      typed('text/plain', [
        ['Cache-Control', 'private'],
        ['cache-control', 'no-transform'],
      ]),
    ],
    ['without content', { status: 204 }],
    ['with a part of the content', { status: 206 }],
  ])('returns an answer %s unchanged', async (_, more) => {
    const answer = { ...typed('text/plain'), ...more }
    expect(await coded(answer)).toBe(answer)
  })

  it('adds to 304 the Vary and the ETag of the 200 (RFC 9110 §15.4.5)', async () => {
    const answer = { status: 304, headers: [['ETag', '"v1"'] as const], body: new Uint8Array() }
    expect(await coded(answer)).toEqual({
      ...answer,
      headers: [
        ['ETag', 'W/"v1"'],
        ['Vary', 'Accept-Encoding'],
      ],
    })
  })

  it.each(['no-transformation', 'x-no-transform', 'no-store', 'no transform'])(
    'encodes an answer with Cache-Control: %s',
    async value => {
      const answer = await coded(typed('text/plain', [['Cache-Control', value]]))
      expect(header(answer, 'content-encoding')).toBe('gzip')
    },
  )

  it('adds Vary only to an empty body', async () => {
    const empty = { ...typed('text/plain', [['ETag', '"a"']]), body: new Uint8Array() }
    expect((await coded(empty)).headers).toEqual([...empty.headers, ['Vary', 'Accept-Encoding']])
  })

  it('keeps the headers of an answer, and puts Vary and Content-Encoding after them', async () => {
    const headers = [['X-Own', '"1"'] as const, ['x-two', '2'] as const]
    expect((await coded(typed('text/plain', headers))).headers).toEqual([
      ['content-type', 'text/plain'],
      ...headers,
      ['Vary', 'Accept-Encoding'],
      ['Content-Encoding', 'gzip'],
    ])
  })

  it('keeps a weak ETag', async () => {
    expect(header(await coded(typed('text/plain', [['ETag', 'W/"a"']])), 'etag')).toBe('W/"a"')
  })

  it.each([
    ['*', ['*']],
    ['Origin ,ACCEPT-ENCODING', ['Origin ,ACCEPT-ENCODING']],
    ['Origin', ['Origin', 'Accept-Encoding']],
    ['X-Accept-Encoding', ['X-Accept-Encoding', 'Accept-Encoding']],
  ])('of Vary: %s makes %j', async (vary, expected) => {
    expect(headerValues(await coded(typed('text/plain', [['VARY', vary]])), 'vary')).toEqual(expected)
  })

  it('separates the codings of an answer that it returns again and again', async () => {
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

  it('encodes the same body object once for each coding', async () => {
    const body = Buffer.from('kept')
    const first = await coded({ ...typed('text/plain'), body })
    const other = await coded({ ...typed('text/plain'), body }, 'br')
    const second = await coded({ ...typed('text/plain'), body })
    expect(second.body).toBe(first.body)
    expect(other.body).not.toBe(first.body)
  })

  it('returns the same object for an answer that comes again and again', async () => {
    const answer = { ...typed('text/plain'), body: Buffer.from('kept') }
    const [first] = [await coded(answer), await coded(answer, 'br')]
    const again = [await coded(answer), await coded(answer, 'br')]
    expect(await coded(answer)).toBe(again[0])
    expect(await coded(answer, 'br')).toBe(again[1])
    expect(again[0]).toEqual(first)
  })
})

it('encode makes bodies that zlib decodes', () =>
  forAll(fc.uint8Array({ maxLength: 5000 }), async body => {
    expect(new Uint8Array(gunzipSync(await encode('gzip', body)))).toEqual(body)
    expect(new Uint8Array(brotliDecompressSync(await encode('br', body)))).toEqual(body)
  }))
