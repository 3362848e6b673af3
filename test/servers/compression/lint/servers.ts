import { createServer, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { type Coding, negotiate, parseAcceptEncoding } from '../../../../src/protocol/http/negotiation.js'

/** The content of every server of these tests. */
export const content = Buffer.from(`<p>${'a letter or two. '.repeat(30)}</p>`)

/** A zstd frame with the content in one raw block (RFC 8878 §3.1.1). */
export function zstdFrame(body: Uint8Array = content, windowLog?: number): Buffer {
  const size = body.length - 256
  const magic = [0x28, 0xb5, 0x2f, 0xfd]
  const header = windowLog === undefined ? [0x60, size & 255, size >> 8] : [0x00, (windowLog - 10) << 3]
  const block = (body.length << 3) | 1
  return Buffer.concat([
    Buffer.from([...magic, ...header, block & 255, (block >> 8) & 255, block >> 16]),
    body,
  ])
}

/** An answer before it is written. */
export interface Made {
  status?: number
  headers: OutgoingHttpHeaders
  body: Uint8Array
}

/** Encodes a body. */
export function encoded(coding: string, body: Uint8Array = content): Uint8Array {
  if (coding === 'gzip') return gzipSync(body)
  if (coding === 'br') return brotliCompressSync(body)
  if (coding === 'deflate') return deflateSync(body)
  if (coding === 'raw deflate') return deflateRawSync(body)
  return coding === 'zstd' ? zstdFrame(body) : body
}

/** The offer of a request. Undefined without one. */
export const offerOf = ({ headers }: IncomingMessage): string | undefined => {
  const offer = headers['accept-encoding']
  return typeof offer === 'string' ? offer : undefined
}

/** An answer in a coding, with the fields that belong to it. */
export function inCoding(coding: string, headers: OutgoingHttpHeaders = {}): Made {
  const own =
    coding === 'identity' ? { etag: '"v1"' } : { etag: `"v1-${coding}"`, 'content-encoding': coding }
  return {
    headers: { 'content-type': 'text/html', vary: 'Accept-Encoding', ...own, ...headers },
    body: encoded(coding),
  }
}

/** The answer of a correct server. */
export function right(message: IncomingMessage): Made {
  const offer = offerOf(message)
  const offered = parseAcceptEncoding(offer === undefined ? [] : [offer])
  const made = inCoding(negotiate(offered, ['br', 'gzip'] as Coding[]).coding)
  return message.headers['if-none-match'] === made.headers.etag
    ? { status: 304, headers: { etag: made.headers.etag, vary: 'Accept-Encoding' }, body: Buffer.alloc(0) }
    : made
}

/** Runs `use` with a server. Its Content-Length is that of the body, unless the answer has one or is chunked. */
export async function serving(
  answer: (message: IncomingMessage) => Made,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const server = createServer((message, response) => {
    const { status = 200, headers, body } = answer(message)
    const framed = 'transfer-encoding' in headers || 'content-length' in headers || status === 304
    response.useChunkedEncodingByDefault = 'transfer-encoding' in headers
    response.writeHead(status, {
      ...headers,
      ...(!framed && { 'content-length': body.length }),
      connection: 'close',
    })
    response.end(message.method === 'HEAD' || status === 304 ? undefined : body)
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}/page`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}
