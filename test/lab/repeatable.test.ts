import { describe, expect, it } from 'vitest'
import { clockOf, parseInstant } from '../../src/lab/clock.js'
import { seededRandom } from '../../src/lab/seeded-random.js'

describe('seededRandom', () => {
  it('is the same for a seed in pieces of any size, and differs between seeds', () => {
    const [a, b, c] = [seededRandom(7), seededRandom(7), seededRandom(8)]
    const whole = Buffer.from(a(100)).toString('hex')
    const cut = [1, 31, 0, 33, 35].map(length => Buffer.from(b(length)).toString('hex')).join('')
    expect(cut).toBe(whole)
    expect(Buffer.from(c(100)).toString('hex')).not.toBe(whole)
    expect(Buffer.from(a(100)).toString('hex')).not.toBe(whole)
  })
})

describe('--now', () => {
  it.each([
    ['0', 0],
    ['1893456000', Date.UTC(2030, 0, 1)],
    ['2030-01-01', Date.UTC(2030, 0, 1)],
    ['2030-01-01T12:30Z', Date.UTC(2030, 0, 1, 12, 30)],
    ['2030-01-01T12:30:01.5Z', Date.UTC(2030, 0, 1, 12, 30, 1, 500)],
    ['2030-01-01T12:30:00+02:00', Date.UTC(2030, 0, 1, 10, 30)],
  ])('%s', (text, ms) => {
    expect(parseInstant(text)).toBe(ms)
  })

  it.each(['', 'now', '-1', '1893456000000', '2030-13-01', '2030-01-01T12:30', '1/1/2030'])(
    'refuses %j',
    text => {
      expect(() => parseInstant(text)).toThrow(/is not a time/)
    },
  )

  it('runs on, or stands still', () => {
    const since = Date.now() - 5000
    const now = clockOf({ from: 1000, since, still: false })()
    expect(now).toBeGreaterThanOrEqual(6000)
    expect(now).toBeLessThan(60_000)
    expect(clockOf({ from: 1000, since, still: true })()).toBe(1000)
  })
})
