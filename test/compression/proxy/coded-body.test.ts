import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { codingsOf, decodedBody, MAX_DECODED } from '../../../src/compression/proxy/coded-body.js'
import type { HttpResponse } from '../../../src/http/message.js'

const answer = (body: Uint8Array, ...codings: string[]): HttpResponse => ({
  status: 200,
  headers: codings.map(value => ['Content-Encoding', value] as const),
  body,
})
const letters = Buffer.from('a'.repeat(300))
const decoded = async (body: Uint8Array, ...codings: string[]) => {
  const content = await decodedBody(answer(body, ...codings))
  return content === undefined ? undefined : Buffer.from(content)
}

describe('codingsOf', () => {
  it.each([
    [[], []],
    [[''], []],
    [['identity'], []],
    [['GZip'], ['gzip']],
    [['gzip,br'], ['gzip', 'br']],
    [[' gzip , , Identity, br '], ['gzip', 'br']],
    [
      ['gzip', 'br'],
      ['gzip', 'br'],
    ],
  ])('reads %j as %j', (lines, expected) => {
    expect(codingsOf(answer(letters, ...lines))).toEqual(expected)
  })
})

describe('decodedBody', () => {
  it.each([
    ['identity', letters],
    ['gzip', gzipSync(letters)],
    ['x-gzip', gzipSync(letters)],
    ['GZIP', gzipSync(letters)],
    ['br', brotliCompressSync(letters)],
    ['deflate', deflateSync(letters)],
    ['deflate', deflateRawSync(letters)],
    ['gzip, br', brotliCompressSync(gzipSync(letters))],
    ['deflate, gzip, br', brotliCompressSync(gzipSync(deflateSync(letters)))],
  ])('decodes %s', async (coding, body) => {
    expect(await decoded(body, coding)).toEqual(letters)
  })

  it('decodes the codings of several fields, the last one first', async () => {
    expect(await decoded(brotliCompressSync(gzipSync(letters)), 'gzip', 'br')).toEqual(letters)
  })

  it('decodes deflate with and without the zlib header (RFC 9110 §8.4.1.2)', async () => {
    for (let n = 0; n < 200; n++) {
      const text = Buffer.from(`${n} ${'ab'.repeat(n)}`)
      expect(await decoded(deflateSync(text), 'deflate')).toEqual(text)
      expect(await decoded(deflateRawSync(text), 'deflate')).toEqual(text)
    }
    // A stored block whose first byte looks like the compression method of zlib, and a last block without data.
    const stored = Buffer.from([0x08, 3, 0, 0xfc, 0xff, 97, 98, 99, 1, 0, 0, 0xff, 0xff])
    expect(await decoded(stored, 'deflate')).toEqual(Buffer.from('abc'))
  })

  it.each(['x-own', 'zstd', 'gzip, x-own', 'compress'])(
    'returns nothing for the unknown coding in %j',
    async coding => {
      expect(await decoded(letters, coding)).toBeUndefined()
    },
  )

  it('refuses a body that contradicts its codings', async () => {
    const wrong = { name: 'UpstreamError' }
    await expect(decoded(letters, 'gzip')).rejects.toMatchObject(wrong)
    await expect(decoded(Buffer.from([0x78]), 'deflate')).rejects.toMatchObject(wrong)
    await expect(decoded(Buffer.alloc(0), 'br')).rejects.toMatchObject(wrong)
    // gzip is decoded first, before the unknown coding ends the work.
    await expect(decoded(letters, 'x-own, gzip')).rejects.toMatchObject(wrong)
  })

  it('refuses more than three codings', async () => {
    const body = gzipSync(gzipSync(gzipSync(gzipSync(letters))))
    await expect(decoded(body, 'gzip, gzip, gzip, gzip')).rejects.toMatchObject({ name: 'UpstreamError' })
  })

  it('refuses more than 64 MiB of content, and decodes 64 MiB', async () => {
    expect(MAX_DECODED).toBe(64 * 1024 * 1024)
    // Gzip may consist of members, which are decoded one after another (RFC 1952 §2.2).
    const members = Array<Buffer>(64).fill(gzipSync(Buffer.alloc(1024 * 1024)))
    expect(await decodedBody(answer(Buffer.concat(members), 'gzip'))).toHaveLength(MAX_DECODED)
    const more = Buffer.concat([...members, gzipSync('a')])
    await expect(decoded(more, 'gzip')).rejects.toThrow('larger than 64 MiB')
  })
})
