import { createHash } from 'node:crypto'
import * as zlib from 'node:zlib'
import { expect, it } from 'vitest'
import { decodeZstd, hasZstd } from '../../../../src/protocol/http/codings.js'
import { dictionaryCodecs } from '../../../../src/servers/compression/studies/budget.js'

const words = Array.from({ length: 400 }, (_, n) => `word${(n * n) % 997}`).join(' ')
const dictionary = Buffer.from(`version 1: ${words}`)
const body = Buffer.from(`version 2: ${words}, and more`)
const hash = createHash('sha256').update(dictionary).digest()

it('dictionaryCodecs makes bodies of RFC 9842 that the dictionary decodes, much shorter than the body', async () => {
  const codecs = await dictionaryCodecs(dictionary)
  // A zstd of Node.js takes a dictionary since 22.19.
  expect(codecs.length > 0 || !hasZstd || process.version.startsWith('v22')).toBe(true)
  for (const { name, encode } of codecs) {
    const coded = await encode(body)
    const dcb = name.startsWith('dcb')
    const head = dcb ? 4 : 8
    expect(Buffer.from(coded.subarray(0, head)).toString('hex')).toBe(dcb ? 'ff444342' : '5e2a4d1820000000')
    expect(hash.equals(coded.subarray(head, head + 32))).toBe(true)
    const options = { dictionary, maxOutputLength: 100_000 }
    const rest = coded.subarray(head + 32)
    expect(body.equals(dcb ? zlib.brotliDecompressSync(rest, options) : decodeZstd(rest, options))).toBe(true)
    expect(coded.length).toBeLessThan(200)
  }
})
