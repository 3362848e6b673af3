import { createHash } from 'node:crypto'
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

/** A content coding with a dictionary: brotli or zstd behind a header that names the dictionary (RFC 9842 §4, §5). */
export type DictionaryCoding = 'dcb' | 'dcz'

/** The bytes before the hash of the dictionary in a body. */
const MAGIC: Readonly<Record<DictionaryCoding, Buffer>> = {
  dcb: Buffer.from([0xff, 0x44, 0x43, 0x42]),
  dcz: Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0]),
}

/** Bytes of a SHA-256 hash. */
const HASH_BYTES = 32

/** The sentence for people whose Node.js takes no dictionary. */
export const NO_DICTIONARY =
  'this Node.js takes no dictionary for brotli or zstd; 24.21 and later versions do'

/** The quality of brotli, the lowest that uses the dictionary for text. */
const BROTLI_QUALITY = 5

/** The level of zstd, its default. */
const ZSTD_LEVEL = 3

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants

function brotliOptions(
  body: Uint8Array,
  dictionary: Uint8Array,
  quality: number,
): zlib.BrotliOptions & { readonly dictionary: Uint8Array } {
  return { params: { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.length }, dictionary }
}

/** A text that no encoder makes shorter without a dictionary. */
const SAMPLE = createHash('sha256').update('a dictionary of the feature test').digest()

let made: Promise<readonly DictionaryCoding[]> | undefined

async function test(): Promise<DictionaryCoding[]> {
  const codings: DictionaryCoding[] = []
  const brotli = zlib.brotliCompressSync(SAMPLE, brotliOptions(SAMPLE, SAMPLE, BROTLI_QUALITY))
  if (brotli.length < SAMPLE.length) codings.push('dcb')
  const zstd = hasZstd ? await encodeZstd(SAMPLE, ZSTD_LEVEL, { dictionary: SAMPLE }) : SAMPLE
  if (zstd.length < SAMPLE.length) codings.push('dcz')
  return codings
}

/**
 * Returns the codings with a dictionary that this Node.js has, the preferred one first. zlib ignores an option that it does not
 * know, without an error, so the length of a sample shows it. The test runs once.
 */
export function dictionaryCodings(): Promise<readonly DictionaryCoding[]> {
  made ??= test()
  return made
}

/** Returns the SHA-256 hash that names a dictionary. */
export function hashOf(dictionary: Uint8Array): Buffer {
  return createHash('sha256').update(dictionary).digest()
}

/** Returns the value of Available-Dictionary for a hash: a byte sequence (RFC 9842 §2.2, RFC 9651 §3.3.5). */
export function availableDictionary(hash: Uint8Array): string {
  return `:${Buffer.from(hash).toString('base64')}:`
}

/** An item that is a byte sequence of 32 bytes. RFC 9651 §4.2.7 lets a parser accept base64 without padding. Parameters have no meaning here. */
const AVAILABLE = /^ *:([A-Za-z0-9+/]{43}=?): *(?:;[\x20-\x7e]*)?$/

/** Reads Available-Dictionary. Returns undefined for a field that is absent, repeated or malformed: it is ignored (RFC 9651 §4.2). */
export function readAvailableDictionary(values: readonly string[]): Buffer | undefined {
  const coded = values.length === 1 ? AVAILABLE.exec(values[0]!)?.[1] : undefined
  return coded === undefined ? undefined : Buffer.from(coded, 'base64')
}

/**
 * Encodes a body with a dictionary, behind the header with its hash. Requires the coding among `dictionaryCodings`.
 * @param effort quality of brotli, or level of zstd
 */
export async function encodeWithDictionary(
  coding: DictionaryCoding,
  body: Uint8Array,
  dictionary: Uint8Array,
  effort = coding === 'dcb' ? BROTLI_QUALITY : ZSTD_LEVEL,
): Promise<Buffer> {
  const coded =
    coding === 'dcb'
      ? await promisify<Uint8Array, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)(
          body,
          brotliOptions(body, dictionary, effort),
        )
      : await encodeZstd(body, effort, { dictionary })
  return Buffer.concat([MAGIC[coding], hashOf(dictionary), coded])
}

/** The header of a body in dcb or dcz. */
interface DictionaryHeader {
  /** SHA-256 of the dictionary. */
  readonly hash: Buffer
  /** Bytes of the header. */
  readonly length: number
}

/** Reads the header of a body. Returns undefined for a body that begins in another way. */
export function readDictionaryHeader(
  coding: DictionaryCoding,
  body: Uint8Array,
): DictionaryHeader | undefined {
  const magic = MAGIC[coding]
  const length = magic.length + HASH_BYTES
  if (body.length < length || !magic.equals(body.subarray(0, magic.length))) return undefined
  return { hash: Buffer.from(body.subarray(magic.length, length)), length }
}

/**
 * Decodes a body in dcb or dcz. Requires the coding among `dictionaryCodings`.
 * @throws RangeError for a body larger than `maxOutputLength`; Error for a body that is not valid, or names another dictionary
 */
export function decodeWithDictionary(
  coding: DictionaryCoding,
  body: Uint8Array,
  { dictionary, maxOutputLength }: { readonly dictionary: Uint8Array; readonly maxOutputLength: number },
): Buffer {
  const header = readDictionaryHeader(coding, body)
  if (header === undefined) throw new Error(`the body does not begin as ${coding} does`)
  if (!header.hash.equals(hashOf(dictionary))) throw new Error('the body names another dictionary')
  const rest = body.subarray(header.length)
  const options = { dictionary, maxOutputLength }
  return coding === 'dcb' ? zlib.brotliDecompressSync(rest, options) : decodeZstd(rest, options)
}
