import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { makeSafe } from '../../../../src/protocol/safe-output/safe.js'
import { shellComment, shellWord } from '../../../../src/protocol/safe-output/shell.js'
import { hostileText } from '../../../show/render/hostile.js'

function sh(script: string): string {
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, v: `x'"$(y)` },
  })
  expect({ stderr, status }).toEqual({ stderr: '', status: 0 })
  return stdout
}

describe('shellWord', () => {
  it.each([
    [['abc'], 'abc'],
    [[''], "''"],
    [["it's"], `'it'\\''s'`],
    [['code=', { variable: 'code' }], '"code=$code"'],
    [[{ variable: 'a' }, 'b'], `"\${a}b"`],
    [['$x', { variable: 'a' }], `'$x'"$a"`],
    [['~'], "'~'"],
  ] as const)('%j is %s', (pieces, word) => expect(shellWord(...pieces)).toBe(word))

  it('is read back by a shell as the text it was, or its safe form', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostileText, hostileText), { minLength: 1, maxLength: 10 }), pairs => {
        const words = pairs.map(([a, b]) => shellWord(a, { variable: 'v' }, b))
        const safe = (text: string) =>
          text
            .split('\n')
            .map(line => makeSafe(line))
            .join('\n')
        expect(sh(`printf '%s\\036' ${words.join(' ')}`)).toBe(
          pairs.map(([a, b]) => `${safe(a)}x'"$(y)${safe(b)}\x1e`).join(''),
        )
      }),
      { numRuns: 60 },
    )
  })
})

it('shellComment stays on its line', () => {
  fc.assert(
    fc.property(hostileText, text => {
      expect(sh(`${shellComment(text)}\necho done`)).toBe('done\n')
    }),
    { numRuns: 40 },
  )
})
