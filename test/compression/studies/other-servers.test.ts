import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { otherServers } from '../../../src/compression/studies/other-servers.js'

const codings = (...lines: string[]) => otherServers(lines).map(({ coding }) => coding)

// nginx and Express as they were measured, ASP.NET Core as its sources say.
describe('otherServers', () => {
  it.each([
    [[], ['identity', 'identity', 'identity']],
    [[''], ['identity', 'identity', 'identity']],
    [['gzip'], ['gzip', 'gzip', 'gzip']],
    [['gzip, br'], ['gzip', 'br', 'br']],
    [['*'], ['identity', 'br', 'br']],
    [['gzip;q=0, *'], ['identity', 'br', 'br']],
    [['br;q=0, *'], ['identity', 'gzip', 'br']],
    [['*;q=0'], ['identity', 'identity', 'identity']],
    [['identity;q=0'], ['identity', 'identity', 'identity']],
    [['identity, gzip;q=0.5'], ['gzip', 'identity', 'identity']],
    [['br;q=1, gzip;q=.5'], ['identity', 'br', 'identity']],
    [['br;q=1, gzip;q=0.1'], ['gzip', 'br', 'br']],
    [['x-gzip'], ['identity', 'identity', 'identity']],
    [['gzip;q=-1'], ['identity', 'identity', 'identity']],
    [['deflate'], ['identity', 'deflate', 'identity']],
    [
      ['br', 'gzip'],
      ['identity', 'br', 'br'],
    ],
  ])('%j → %j', (lines, expected) => {
    expect(codings(...lines)).toEqual(expected)
  })

  it('answers any value', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }), lines => {
        expect(codings(...lines)).toHaveLength(3)
      }),
    )
  })
})
