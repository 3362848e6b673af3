import { describe, expect, it } from 'vitest'
import { parseDuration } from '../../src/lab/lab-file/duration.js'
import { nearest } from '../../src/protocol/nearest.js'

it.each([
  ['90s', 90_000],
  ['15m', 900_000],
  ['1h', 3_600_000],
  ['7d', 604_800_000],
  ['0s', undefined],
  ['10', undefined],
  ['1.5h', undefined],
  ['-1s', undefined],
  ['1w', undefined],
  ['1h ', undefined],
  ['', undefined],
])('durations: %j is %s ms', (text, ms) => expect(parseDuration(text)).toBe(ms))

describe('nearest', () => {
  const words = ['authorization_code', 'implicit', 'password', 'refresh_token']
  it.each([
    ['authorisation_code', 'authorization_code'],
    ['Implicit', 'implicit'],
    ['pasword', 'password'],
    ['refreshtoken', 'refresh_token'],
    ['auth', 'authorization_code'],
    ['saml', undefined],
    ['', undefined],
    ['x'.repeat(5000), undefined],
  ])('%.20s: %s', (word, expected) => expect(nearest(word, words)).toBe(expected))

  it('counts a swap of two letters as one step', () =>
    expect(nearest('staeg', ['scope', 'stage'])).toBe('stage'))
})
