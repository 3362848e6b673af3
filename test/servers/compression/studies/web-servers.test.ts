import { describe, expect, it } from 'vitest'
import { otherServers } from '../../../../src/servers/compression/studies/other-servers.js'

/** Answers of Apache 2.4.71, Caddy 2.6.2 and HAProxy 2.6.12 of Debian 12 to these lines, as observed. */
const observed: readonly (readonly [lines: readonly string[], answers: string])[] = [
  [[], 'identity identity identity'],
  [[''], 'identity identity identity'],
  [['identity'], 'identity identity identity'],
  [['deflate'], 'identity identity identity'],
  [['gzip'], 'gzip gzip gzip'],
  [['br'], 'identity identity identity'],
  [['zstd'], 'identity zstd identity'],
  [['GZIP'], 'gzip gzip gzip'],
  [['Gzip;Q=0.5'], 'gzip gzip gzip'],
  [['gzip, br'], 'gzip gzip gzip'],
  [['br, gzip'], 'gzip gzip gzip'],
  [['br;q=1, gzip;q=0.5'], 'gzip gzip gzip'],
  [['br;q=0.5, gzip'], 'gzip gzip gzip'],
  [['*'], 'identity identity gzip'],
  [['*;q=0'], 'identity identity identity'],
  [['gzip;q=0'], 'identity identity identity'],
  [['gzip;q=0, *'], 'identity identity gzip'],
  [['gzip;q=0.0000'], 'gzip identity identity'],
  [['gzip;Q=0'], 'gzip identity gzip'],
  [['identity;q=0'], 'identity identity identity'],
  [['identity, gzip;q=0.5'], 'gzip gzip gzip'],
  [['identity;q=0.5, gzip;q=0.4'], 'gzip gzip gzip'],
  [['x-gzip'], 'identity identity identity'],
  [['gzip;q=abc'], 'gzip gzip gzip'],
  [['gzip;q=2'], 'gzip gzip gzip'],
  [['gzip;q=-1'], 'gzip gzip gzip'],
  [['gzip;q=.5'], 'gzip gzip gzip'],
  [['gzip;q=0.000'], 'identity identity identity'],
  [['gzip;q=0.001'], 'gzip gzip gzip'],
  [['gzip;q=0.00001'], 'gzip identity identity'],
  [['gzip;q=1;x=1'], 'gzip gzip gzip'],
  [['gzip;x=1;q=0'], 'gzip gzip identity'],
  [['gzip;x=1'], 'gzip gzip gzip'],
  [[', gzip,'], 'identity gzip gzip'],
  [['gzip ; q=0'], 'identity identity identity'],
  [['gzip;\tq=0'], 'identity identity identity'],
  [['gzip-foo'], 'identity identity identity'],
  [['xgzip'], 'identity identity identity'],
  [['zstd, gzip'], 'gzip zstd gzip'],
  [['gzip, zstd'], 'gzip zstd gzip'],
  [['zstd;q=0.5, gzip;q=0.4'], 'gzip zstd gzip'],
  [['gzip;q=0.5, zstd;q=0.5'], 'gzip zstd gzip'],
  [['*;q=0.5, gzip;q=0'], 'identity identity gzip'],
  [['*, gzip;q=0'], 'identity identity gzip'],
  [['gzip, gzip;q=0'], 'gzip gzip gzip'],
  [['gzip;q=0, gzip'], 'identity gzip gzip'],
  [['gzip;'], 'gzip gzip gzip'],
  [['gzip;q'], 'gzip gzip gzip'],
  [['gzip;q='], 'gzip gzip gzip'],
  [['gzip foo'], 'gzip identity gzip'],
  [['"gzip"'], 'identity identity identity'],
  [['gzip;q="0"'], 'gzip gzip gzip'],
  [['br', 'gzip'], 'gzip identity gzip'],
  [['gzip', 'br'], 'gzip gzip gzip'],
  [['gzip;q=0', 'gzip'], 'identity identity gzip'],
  [['deflate;q=0, gzip'], 'gzip gzip gzip'],
  [['deflate, , gzip'], 'identity gzip gzip'],
  [['gzip;q= 0'], 'gzip gzip gzip'],
  [['gzip;q =0'], 'gzip gzip gzip'],
  [['gzip,gzip'], 'gzip gzip gzip'],
  [['foo;q=0.5;bar, gzip;q=0.2'], 'gzip gzip gzip'],
  [['gzip;q=0.5;q=0'], 'gzip gzip gzip'],
  [['gzip;q=10'], 'gzip gzip gzip'],
  [['gzip;q=01'], 'gzip gzip identity'],
  [['*;q=0, gzip;q=0.1'], 'gzip gzip gzip'],
  [['gzip;q=1e-3'], 'gzip gzip gzip'],
  [['gzip;q=0.0'], 'identity identity identity'],
  [['deflate, gzip;q=1.0, *;q=0.5'], 'gzip gzip gzip'],
]

describe('otherServers, of web servers and proxies', () => {
  it.each(observed)('%j → %s', (lines, answers) => {
    expect(
      otherServers(lines)
        .slice(3, 6)
        .map(({ coding }) => coding)
        .join(' '),
    ).toBe(answers)
  })

  it.each([
    ['gzip, br', 'br'],
    ['gzip, br;q=0', 'gzip'],
    ['zstd', 'identity'],
    ['*', 'identity'],
  ])('of %j, Cloudflare chooses %s', (line, coding) => {
    expect(otherServers([line])[6]).toMatchObject({ coding, note: expect.stringContaining('documents') })
  })
})
