import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { zstdProblem } from '../../../../../src/servers/compression/lint/body-checks.js'
import { content, zstdFrame } from '../../../../servers/compression/lint/servers.js'
import { describeWith } from '../../../../support/requires.js'

describe('zstdProblem', () => {
  it('accepts frames, skippable frames and empty blocks', () => {
    const skippable = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 2, 0, 0, 0, 9, 9])
    expect(zstdProblem(zstdFrame())).toBeUndefined()
    expect(zstdProblem(zstdFrame(content, 23))).toBeUndefined()
    expect(zstdProblem(Buffer.concat([skippable, zstdFrame(), zstdFrame()]))).toBeUndefined()
  })

  it.each([
    ['no frame', Buffer.from('plain text'), 'magic number'],
    ['nothing', Buffer.alloc(0), 'within a header'],
    ['a large window', zstdFrame(content, 24), '8 MiB'],
    ['a cut block', zstdFrame().subarray(0, 100), 'within a block'],
    ['bytes behind it', Buffer.concat([zstdFrame(), Buffer.from('more')]), 'magic number'],
    ['a reserved bit', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x68, 1, 1, 0, 0, 0]), 'reserved bit'],
    ['a reserved block', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x60, 1, 0, 7, 0, 0]), 'reserved type'],
    ['a whole body as window', Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 1, 1, 0, 0]), '8 MiB'],
  ])('refuses %s', (_, body, problem) => {
    expect(zstdProblem(body)).toContain(problem)
  })

  it('judges any bytes', () => {
    const bytes = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(bytes, fc.nat(30), (tail, cut) => {
        zstdProblem(Buffer.concat([zstdFrame().subarray(0, cut), tail]))
      }),
    )
  })
})

describeWith(['zstd'], 'zstdProblem of frames of the zstd program', () => {
  const made = (input: Uint8Array, ...options: string[]) =>
    execFileSync('zstd', ['-q', '-c', ...options], { input, maxBuffer: 1e8 })

  it.each([['-1'], ['-3'], ['-19'], ['-3', '--no-check'], ['-3', '--content-size']])(
    'accepts %s',
    (...options) => {
      expect(zstdProblem(made(content, ...options))).toBeUndefined()
      expect(zstdProblem(made(Buffer.alloc(300_000, 'abc'), ...options))).toBeUndefined()
      expect(zstdProblem(made(Buffer.alloc(0), ...options))).toBeUndefined()
    },
  )

  it('refuses a window of 128 MiB', () => {
    expect(zstdProblem(made(content, '--ultra', '-22', '--long=27'))).toContain('8 MiB')
  })
})
