import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { otherServers } from '../../../../src/servers/compression/studies/other-servers.js'
import { forAll } from '../../../support/for-all.js'

const codings = (...lines: string[]) => otherServers(lines).map(({ coding }) => coding)
const first = (...lines: string[]) => codings(...lines).slice(0, 3)

// nginx and Express as observed, ASP.NET Core as its sources say.
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
  ])('%j → %j', (lines, expected) => expect(first(...lines)).toEqual(expected))

  it.each([
    ['gzip, GZIP;q=0.1', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['gzip;q=0.6, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=.6', 'br'],
    [' br ; q=0.5 ; q=1 , gzip;x;q=0.6', 'gzip'],
    ['br;x=1;q=0.5, gzip;y=2', 'gzip'],
    ['br;Q=0.1, gzip', 'br'],
    ['gzip;q', 'identity'],
    ['gzip;q=', 'identity'],
    ['gzip;q=abc', 'identity'],
    ['gzip, gzip;q=abc', 'identity'],
    ['gzip;q=abc, gzip', 'gzip'],
    ['gzip;q=0, gzip;q=0.5', 'gzip'],
    ['gzip;q=0.5, gzip;q=0', 'gzip'],
    [', ;q=1, br', 'br'],
    ['zstd', 'identity'],
    ['zstd, deflate;q=0.5', 'deflate'],
    ['deflate, identity', 'deflate'],
    ['identity, deflate', 'identity'],
    ['deflate;q=0.5, identity;q=0.5, deflate;q=0.5', 'identity'],
    ['deflate, gzip', 'gzip'],
    ['deflate, gzip;q=0.9', 'deflate'],
    ['identity;q=0.5, gzip;q=0.4', 'identity'],
    ['gzip;q=0.4', 'gzip'],
    ['*;q=0.5, gzip;q=0.4', 'br'],
    ['*;q=0.4, identity;q=0.5', 'identity'],
    ['br;q=0, gzip;q=0, *', 'deflate'],
    ['br;q=0, gzip;q=0, *, identity', 'identity'],
    ['br;q=0, gzip;q=0, deflate;q=0, *', 'identity'],
    ['gzip;q=-1, *;q=0.1', 'br'],
    ['gzip;q=1e-3', 'gzip'],
    ['gzip\t;\tq=1', 'gzip'],
    ['br gzip', 'identity'],
  ])('of %j, Express chooses %s, as negotiator 1.0.0 does', (line, expected) => {
    expect(codings(line)[1]).toBe(expected)
  })

  it.each([
    ['gzip;q=0.5, br;q=0.4', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['GZIP;Q=0.5, BR ; q = 0.6', 'br'],
    ['gzip, , br;q=0', 'gzip'],
    ['identity, gzip', 'gzip'],
    ['identity, gzip;q=0.9', 'identity'],
    ['gzip, *;q=0.5', 'gzip'],
    ['*, gzip;q=0', 'br'],
    ['gzip;q=0.5, *;q=0.9', 'br'],
    ['*;q=0, gzip', 'gzip'],
    ['*, br nonsense', 'identity'],
    ['gzip;q=1.00000000', 'gzip'],
    ['gzip;q=0.123456789', 'identity'],
    ['gzip;q=2', 'identity'],
    ['gzip;q=1;x=1', 'identity'],
    ['gzip;x=1', 'identity'],
    ['gzip;q=', 'identity'],
    ['x gzip', 'identity'],
    ['gzip x', 'identity'],
    ['zstd, deflate', 'identity'],
  ])('of %j, ASP.NET Core chooses %s', (line, expected) => expect(codings(line)[2]).toBe(expected))

  it('gives a reason where nginx or ASP.NET Core does not read the list', () => {
    const notes = (line: string) =>
      otherServers([line])
        .slice(0, 3)
        .map(({ note }) => note !== undefined)
    expect(notes('gzip')).toEqual([false, false, false])
    expect(notes('*')).toEqual([true, false, false])
    expect(notes('gzip;q=.5')).toEqual([true, false, true])
    expect(otherServers([]).map(({ server }) => server)).toEqual([
      ...['nginx, gzip on', 'Express, compression', 'ASP.NET Core', 'Apache, mod_deflate'],
      ...['Caddy, zstd gzip', 'HAProxy, algo gzip', 'Cloudflare'],
    ])
  })

  it('answers any value', () =>
    forAll(fc.array(fc.string({ unit: 'binary' }), { maxLength: 3 }), lines => {
      expect(codings(...lines)).toHaveLength(7)
    }))
})
