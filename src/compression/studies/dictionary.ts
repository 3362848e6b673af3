import { createHash } from 'node:crypto'
import * as zlib from 'node:zlib'
import { encodeZstd, hasZstd } from '../../http/zstd.js'
import type { Codec } from './budget.js'

/** The bytes before the hash of the dictionary in a body (RFC 9842 §4, §5). */
const DCB = Buffer.from([0xff, 0x44, 0x43, 0x42])
const DCZ = Buffer.from([0x5e, 0x2a, 0x4d, 0x18, 0x20, 0, 0, 0])

/** The sentence for people whose Node.js takes no dictionary. */
export const NO_DICTIONARY =
  'this Node.js takes no dictionary for brotli or zstd; 24.21 and later versions do'

const { BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants

function brotli(body: Uint8Array, quality: number, dictionary: Uint8Array): Buffer {
  const params = { [BROTLI_PARAM_QUALITY]: quality, [BROTLI_PARAM_SIZE_HINT]: body.length }
  const options = { params, dictionary }
  return zlib.brotliCompressSync(body, options)
}

/** A text that no encoder makes shorter without a dictionary. */
const SAMPLE = createHash('sha256').update('a dictionary of the feature test').digest()

/**
 * Returns the codecs with a dictionary that this Node.js has. An option that zlib does not know is ignored without an error, so
 * the length of a sample shows it.
 */
export async function dictionaryCodecs(dictionary: Uint8Array): Promise<Codec[]> {
  const hash = createHash('sha256').update(dictionary).digest()
  const codecs: Codec[] = []
  if (brotli(SAMPLE, 5, SAMPLE).length < SAMPLE.length) {
    for (const quality of [5, 11]) {
      const encode = async (body: Uint8Array) => Buffer.concat([DCB, hash, brotli(body, quality, dictionary)])
      codecs.push({ name: `dcb ${quality}`, note: 'br with the dictionary', encode })
    }
  }
  if (hasZstd && (await encodeZstd(SAMPLE, 3, { dictionary: SAMPLE })).length < SAMPLE.length) {
    for (const level of [3, 19]) {
      const encode = async (body: Uint8Array) =>
        Buffer.concat([DCZ, hash, await encodeZstd(body, level, { dictionary })])
      codecs.push({ name: `dcz ${level}`, note: 'zstd with the dictionary', encode })
    }
  }
  return codecs
}
