import { promisify } from 'node:util'
import * as zlib from 'node:zlib'

/** Options of the functions of zstd in Node.js. */
interface ZstdOptions {
  readonly maxOutputLength?: number
  readonly params?: Readonly<Record<number, number>>
  readonly dictionary?: Uint8Array
}

/** The functions that `node:zlib` has since 22.15 and 23.8. */
interface ZstdFunctions {
  readonly zstdCompress: (
    body: Uint8Array,
    options: ZstdOptions,
    done: (error: Error | null, result: Buffer) => void,
  ) => void
  readonly zstdDecompressSync: (body: Uint8Array, options: ZstdOptions) => Buffer
  readonly constants: {
    readonly ZSTD_c_compressionLevel: number
    readonly ZSTD_c_windowLog: number
    readonly ZSTD_d_windowLogMax: number
  }
}

const functions = zlib as unknown as Partial<ZstdFunctions>

/** The largest window of the content coding: 2^23 bytes (RFC 9659 §3). */
const WINDOW_LOG = 23

/** True when this Node.js can encode and decode zstd (RFC 8878). */
export const hasZstd: boolean =
  functions.zstdCompress !== undefined && functions.zstdDecompressSync !== undefined

/** The sentence for people whose Node.js has no zstd. */
export const NO_ZSTD = 'this Node.js has no zstd; 22.15, 23.8 and later versions do'

/** A dictionary, or nothing. */
interface WithDictionary {
  readonly dictionary?: Uint8Array
}

/** Encodes a body in one frame whose window a client must accept. Requires `hasZstd`. */
export function encodeZstd(body: Uint8Array, level: number, more: WithDictionary = {}): Promise<Buffer> {
  const { ZSTD_c_compressionLevel, ZSTD_c_windowLog } = functions.constants!
  const params = { [ZSTD_c_compressionLevel]: level, [ZSTD_c_windowLog]: WINDOW_LOG }
  return promisify(functions.zstdCompress!)(body, { ...more, params })
}

/**
 * Decodes a body. Requires `hasZstd`.
 * @throws RangeError for a body larger than `maxOutputLength`; Error for a body that is not valid, or whose window is too large
 */
export function decodeZstd(
  body: Uint8Array,
  options: { readonly maxOutputLength: number } & WithDictionary,
): Buffer {
  const { ZSTD_d_windowLogMax } = functions.constants!
  return functions.zstdDecompressSync!(body, { ...options, params: { [ZSTD_d_windowLogMax]: WINDOW_LOG } })
}
