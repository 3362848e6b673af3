import { describe, expect, it } from 'vitest'
import { CodingError, decodeBody } from '../../../src/client/content-coding.js'
import { decodeZstd, encodeZstd, hasZstd } from '../../../src/protocol/http/codings.js'
import { CODINGS, encode } from '../../../src/servers/compression/compress-response.js'
import { zstdProblem } from '../../../src/servers/compression/lint/body-checks.js'

const coded = [['Content-Encoding', 'zstd']] as const
const text = Buffer.from('a letter or two. '.repeat(600_000))

describe.skipIf(!hasZstd)('zstd, where Node.js has it', () => {
  it('is a coding of the server, after br', async () => {
    expect(CODINGS).toEqual(['br', 'zstd', 'gzip'])
    expect(text.equals(decodeBody(coded, await encode('zstd', text), 20_000_000))).toBe(true)
  })

  it.each([1, 3, 19])('makes frames with a window of 8 MiB at most at level %d', async level => {
    const frame = await encodeZstd(text, level)
    expect(zstdProblem(frame)).toBeUndefined()
    expect(decodeZstd(frame, { maxOutputLength: text.length }).equals(text)).toBe(true)
  })

  it('limits the decoded body, and refuses bodies that are not valid', async () => {
    const frame = await encode('zstd', text)
    const code = (body: Uint8Array, limit: number) => {
      try {
        return decodeBody(coded, body, limit).length
      } catch (error) {
        return error instanceof CodingError ? error.code : error
      }
    }
    expect(code(frame, text.length - 1)).toBe('EMSGSIZE')
    expect(code(frame.subarray(0, -3), text.length)).toBe('EBADMSG')
    expect(code(Buffer.from('plain'), 100)).toBe('EBADMSG')
  })
})

describe.skipIf(hasZstd)('zstd, where Node.js lacks it', () => {
  it('is not a coding of the server, and not decoded', () => {
    expect(CODINGS).toEqual(['br', 'gzip'])
    expect(() => decodeBody(coded, Buffer.from('x'), 9)).toThrow(expect.objectContaining({ code: 'ENOTSUP' }))
  })
})
