import { describe, expect, it } from 'vitest'
import { brokenRule, chosenCoding } from '../../src/compression/verdict.js'

const answer = (contentEncoding: string | null, vary: string | null = 'Accept-Encoding', status = 200) => ({
  ...{ status, contentEncoding, vary },
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
    ['br;q=0, *', answer('gzip', 'origin, accept-encoding')],
  ])('finds none in %j → %j', (offer, came) => {
    expect(brokenRule(offer, came)).toBeUndefined()
  })

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
    ['*;q=0', answer(null, null, 500), 'fails with 500'],
  ])('tells the one in %j → %j', (offer, came, words) => {
    expect(brokenRule(offer, came)).toContain(words)
  })
})

describe('chosenCoding', () => {
  it.each([
    [null, 'identity'],
    ['gzip, br', 'br'],
    ['br;q=0.5, gzip', 'gzip'],
    ['gzip;q=0, *', 'br'],
  ])('%j → %s', (offer, coding) => {
    expect(chosenCoding(offer)).toBe(coding)
  })
})
