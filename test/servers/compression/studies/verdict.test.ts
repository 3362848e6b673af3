import { describe, expect, it } from 'vitest'
import { askedFor, brokenRule } from '../../../../src/servers/compression/studies/verdict.js'

const answer = (contentEncoding: string | null, vary: string | null = 'Accept-Encoding', status = 200) => ({
  status,
  contentEncoding,
  vary,
})

describe('brokenRule', () => {
  it.each([
    [null, answer(null)],
    [null, answer('identity')],
    ['identity;q=0', answer(null)],
    ['gzip', answer(null, null)],
    ['gzip', answer('gzip')],
    ['GZIP;q=0.1', answer('gzip')],
    ['x-gzip', answer('gzip')],
    ['*', answer('zstd', '*')],
    [null, answer('')],
    ['', answer(' Identity')],
    ['gzip', answer(' GZip ')],
    ['gzip', answer(null, null, 499)],
    ['gzip', answer('gzip', ' Accept-Encoding ')],
    ['br;q=0, *', answer('gzip', 'origin, accept-encoding')],
  ])('finds no broken rule in %j → %j', (offer, came) => expect(brokenRule(offer, came)).toBeUndefined())

  it.each([
    [null, answer('gzip'), 'nobody asked for'],
    ['', answer('gzip'), 'not offered'],
    ['br', answer('gzip'), 'not offered'],
    ['gzip;q=0', answer('gzip'), 'refused'],
    ['gzip;q=0, *', answer('gzip'), 'refused'],
    ['*;q=0', answer('br'), 'refused'],
    ['gzip;q=abc', answer('gzip'), 'not offered'],
    ['gzip', answer('gzip', null), 'without Vary'],
    ['gzip', answer('gzip', 'Origin'), 'without Vary'],
    ['gzip', answer('gzip', 'X-Accept-Encoding'), 'without Vary'],
    ['gzip', answer('gzip', ''), 'without Vary'],
    ['*;q=0', answer(null, null, 500), 'fails with 500'],
  ])('finds the broken rule in %j → %j', (offer, came, words) => {
    expect(brokenRule(offer, came)).toContain(words)
  })
})

it.each([
  [null, 'identity', 'asked'],
  ['gzip', 'gzip', 'asked'],
  ['GZIP;q=0.5', 'gzip', 'asked'],
  ['*', 'br', 'asked'],
  [null, 'gzip', 'not asked'],
  ['', 'gzip', 'not asked'],
  ['br', 'gzip', 'not asked'],
  ['gzip;q=abc', 'gzip', 'not asked'],
  ['gzip;q=0', 'gzip', 'refused'],
  ['gzip;q=0, *', 'gzip', 'refused'],
  ['*;q=0', 'br', 'refused'],
])('askedFor offers %j, gets %s: %s', (offer, coding, expected) => {
  expect(askedFor(offer, coding)).toBe(expected)
})
