import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import type { Coding } from '../http/negotiation.js'

/** The codings this server makes, the preferred one first. */
export const CODINGS: readonly Coding[] = ['br', 'gzip']

/**
 * `body` in a content coding. One write, a flush, the end, at the fastest level: what servers do that write a response in one
 * piece. The flush is what makes 2,048 equal letters 48 bytes of gzip and 204,800 of them 935; no synchronous call of zlib does.
 */
export function encode(coding: Coding, body: Uint8Array): Promise<Uint8Array> {
  const stream =
    coding === 'gzip'
      ? createGzip({ level: constants.Z_BEST_SPEED, flush: constants.Z_SYNC_FLUSH })
      : createBrotliCompress({
          flush: constants.BROTLI_OPERATION_FLUSH,
          params: { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_SIZE_HINT]: body.length },
        })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.once('error', reject)
    stream.once('end', () => resolve(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)))
    stream.end(body)
  })
}
