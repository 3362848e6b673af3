import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { bytes, type HeaderList, textResponse } from '../../src/protocol/http/message.js'
import { createCompressResponse } from '../../src/servers/compression/compress-response.js'
import { withPayloads } from '../../src/servers/compression/payload.js'
import { recordingSite } from '../support/ask.js'

/** An answer for a path of its own: how a proxy treats types, statuses, lengths and validators. */
interface Told {
  readonly status?: number
  readonly type?: string
  readonly headers?: HeaderList
  readonly body?: Uint8Array
  /** Without Content-Length. */
  readonly chunked?: true
}

const letters = (count: number): Uint8Array => bytes('a'.repeat(count))
const coded: HeaderList = [['Content-Encoding', 'gzip']]
const asType = (type: string): Told => ({ type })
const asStatus = (status: number): Told => ({ status })

/** What stands behind the proxies beside the payloads, by name. */
export const answers: Readonly<Record<string, Told>> = {
  html: asType('text/html; charset=utf-8'),
  css: asType('text/css'),
  json: asType('application/json;charset=UTF-8'),
  javascript: asType('application/javascript'),
  svg: asType('image/svg+xml'),
  rss: asType('application/rss+xml'),
  png: asType('image/png'),
  upper: asType('TEXT/PLAIN; charset=utf-8'),
  untyped: { type: '' },
  'bytes-19': { body: letters(19) },
  'bytes-20': { body: letters(20) },
  'bytes-255': { body: letters(255) },
  'bytes-256': { body: letters(256) },
  'bytes-0': { body: letters(0) },
  'chunked-0': { body: letters(0), chunked: true },
  'chunked-30': { body: letters(30), chunked: true },
  'chunked-500': { chunked: true },
  created: asStatus(201),
  'no-content': { status: 204, body: letters(0) },
  found: { status: 302, headers: [['Location', '/kb/2']] },
  'bad-request': asStatus(400),
  unauthorized: asStatus(401),
  forbidden: asStatus(403),
  'not-found': asStatus(404),
  gone: asStatus(410),
  failed: asStatus(500),
  strong: { headers: [['ETag', '"v1"']] },
  weak: { headers: [['ETag', 'W/"v1"']] },
  odd: { headers: [['ETag', 'v1']] },
  dated: { headers: [['Last-Modified', 'Sat, 01 Jan 2022 00:00:00 GMT']] },
  ranges: { headers: [['Accept-Ranges', 'bytes']] },
  'no-transform': { headers: [['Cache-Control', 'no-transform']] },
  cached: { headers: [['Cache-Control', 'max-age=60']] },
  'vary-origin': { headers: [['Vary', 'Origin']] },
  'vary-coding': { headers: [['Vary', 'Accept-Encoding']] },
  'vary-both': {
    headers: [
      ['Vary', 'Origin'],
      ['Vary', 'Cookie'],
    ],
  },
  'coded-gzip': { headers: [...coded, ['ETag', '"v1"']], body: gzipSync(letters(500)) },
  'coded-upper': { headers: [['Content-Encoding', 'GZIP']], body: gzipSync(letters(500)) },
  'coded-other': { headers: [['Content-Encoding', 'zstd']], body: letters(50) },
  'coded-identity': { headers: [['Content-Encoding', 'identity']] },
  'coded-404': { status: 404, headers: coded, body: gzipSync(letters(500)) },
  'coded-500': { status: 500, headers: coded, body: gzipSync(letters(500)) },
  // Bodies that no decoder accepts.
  'no-gzip-empty': { headers: coded, body: letters(0) },
  'no-gzip-trailing': { headers: coded, body: Buffer.concat([gzipSync(letters(300)), bytes('more')]) },
  'no-gzip-lie': { headers: coded, body: letters(100) },
  'coded-twice': { headers: coded, body: Buffer.concat([gzipSync(letters(300)), gzipSync(letters(200))]) },
}

/** A server in plain HTTP with the payloads and the answers above. */
export async function startUpstream(compressing: boolean): Promise<{ url: string; server: Server }> {
  const payloads = recordingSite(
    withPayloads({ name: 'upstream', handle: async () => textResponse(404, '') }),
  )
  const compress = createCompressResponse()
  const server = createServer(async (message, response) => {
    const { method = 'GET', url = '/', rawHeaders } = message
    const told = answers[url.slice('/answer/'.length)]
    if (told) {
      const { status = 200, type = 'text/plain', headers = [], body = letters(500), chunked } = told
      const tags = headers.filter(([name]) => name === 'ETag').map(([, tag]) => tag)
      const fresh = tags.includes(message.headers['if-none-match'] ?? '')
      response.sendDate = false
      response.writeHead(fresh ? 304 : status, [
        ...headers.flat(),
        ...(type === '' ? [] : ['Content-Type', type]),
        ...(chunked || fresh || status === 204 ? [] : ['Content-Length', String(body.length)]),
      ])
      response.end(fresh ? undefined : body)
      return
    }
    const headers = rawHeaders.flatMap((name, i) => (i % 2 ? [] : [[name, rawHeaders[i + 1]!] as const]))
    const request = { method, url: `http://upstream${url}`, headers, body: new Uint8Array() }
    const raw = await payloads.handle(request)
    const answer = compressing ? await compress(request, raw) : raw
    response.writeHead(answer.status, [
      ...answer.headers.flat(),
      'Content-Length',
      String(answer.body.length),
    ])
    response.end(answer.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server }
}
