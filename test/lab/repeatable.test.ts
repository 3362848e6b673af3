import { describe, expect, it } from 'vitest'
import { clockOf, clockSetting, parseInstant } from '../../src/lab/clock.js'
import { onSeededPort, seededPorts } from '../../src/lab/listening/seeded-ports.js'
import { seededRandom } from '../../src/lab/seeded-random.js'

it('seededRandom is the same for a seed in pieces of any size, and differs between seeds', () => {
  const [a, b, c] = [seededRandom(7), seededRandom(7), seededRandom(8)]
  const whole = Buffer.from(a(100)).toString('hex')
  expect([1, 31, 0, 33, 35].map(length => Buffer.from(b(length)).toString('hex')).join('')).toBe(whole)
  expect(Buffer.from(c(100)).toString('hex')).not.toBe(whole)
  expect(Buffer.from(a(100)).toString('hex')).not.toBe(whole)
})

describe('--now', () => {
  it.each([
    ['0', 0],
    ['1893456000', Date.UTC(2030, 0, 1)],
    ['2030-01-01', Date.UTC(2030, 0, 1)],
    ['2030-01-01T12:30Z', Date.UTC(2030, 0, 1, 12, 30)],
    ['2030-01-01T12:30:01.5Z', Date.UTC(2030, 0, 1, 12, 30, 1, 500)],
    ['2030-01-01T12:30:00+02:00', Date.UTC(2030, 0, 1, 10, 30)],
  ])('%s', (text, ms) => expect(parseInstant(text)).toBe(ms))

  it.each(['', 'now', '-1', '1893456000000', '2030-13-01', '2030-01-01T12:30', '1/1/2030'])(
    'refuses %j',
    text => expect(() => parseInstant(text)).toThrow(/is not a time/),
  )

  it('runs on, or stands still', () => {
    const since = Date.now() - 5000
    const now = clockOf({ from: 1000, since, still: false })()
    expect(now).toBeGreaterThanOrEqual(6000)
    expect(now).toBeLessThan(60_000)
    expect(clockOf({ from: 1000, since, still: true })()).toBe(1000)
  })
})

describe('the clock of --seed and --now', () => {
  it('stands still with both, runs from the time alone, and is the real one otherwise', () => {
    expect(clockSetting({ seed: 7, now: 1000 })).toMatchObject({ from: 1000, still: true })
    expect(clockSetting({ now: 1000 })).toMatchObject({ from: 1000, still: false })
    expect(clockSetting({ seed: 7 })).toBeUndefined()
  })
})

describe('the ports of a seed', () => {
  it('are the same in every run, and differ between seeds', () => {
    expect(seededPorts(7)).toEqual(seededPorts(7))
    const all = [...Array(1000).keys()].flatMap(seed => Object.values(seededPorts(seed)))
    expect(new Set(all).size).toBe(3000)
    expect(Math.min(...all)).toBeGreaterThan(1024)
    // Systems hand out the ports above by themselves.
    expect(Math.max(...all, ...Object.values(seededPorts(Number.MAX_SAFE_INTEGER)))).toBeLessThan(32_768)
  })

  it('replace the port 0 of a redirect_uri, and no other', () => {
    const { callback } = seededPorts(7)
    expect(onSeededPort('http://127.0.0.1:0/cb?a=:0/', 7)).toBe(`http://127.0.0.1:${callback}/cb?a=:0/`)
    expect(onSeededPort('http://[::1]:0', 7)).toBe(`http://[::1]:${callback}`)
    for (const other of ['http://127.0.0.1:7000/cb', 'https://web.example:0/cb', 'app.example:/cb']) {
      expect(onSeededPort(other, 7)).toBe(other)
    }
  })
})
