import { constants, createBrotliCompress, createGzip } from 'node:zlib'
import { encodeZstd, hasZstd } from '../../protocol/http/codings.js'
import type { Coding } from '../../protocol/http/negotiation.js'

/** The codings that this server can make, the preferred one first. zstd is one of them where this Node.js has it. */
export const CODINGS: readonly Coding[] = hasZstd ? ['br', 'zstd', 'gzip'] : ['br', 'gzip']

/** The level of zstd, its default. */
const ZSTD_LEVEL = 3

/**
 * Encodes `body` at the fastest level with one write, a flush and the end, as a server does that writes a response in one
 * piece. Because of the flush, 2,048 equal letters become 48 bytes of gzip, and 204,800 become 935. The synchronous
 * functions of zlib cannot flush before the end.
 */
export function encode(coding: Coding, body: Uint8Array): Promise<Uint8Array> {
  if (coding === 'zstd') return encodeZstd(body, ZSTD_LEVEL)
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
