import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../../../src/protocol/errors.js'
import { parseSpan, readPeriod } from '../../../../../src/servers/cloudflare/client/events/event-query.js'

const now = Date.UTC(2026, 5, 15, 12)
const HOUR = 3_600_000

describe('a length of time', () => {
  it.each([
    ['90s', 90_000],
    ['15m', 900_000],
    ['1h', HOUR],
    ['2d', 48 * HOUR],
    ['1h30m', 1.5 * HOUR],
    ['1d12h', 36 * HOUR],
    ['1d1h1m1s', 25 * HOUR + 61_000],
  ])('%s', (text, ms) => expect(parseSpan(text)).toBe(ms))

  it.each(['', '0s', '1', 'h', '30m1h', '1h 30m', '1.5h', '-1h', '1w', '1H', '1h1h'])('%j is not one', text =>
    expect(parseSpan(text)).toBeUndefined(),
  )
})

describe('a period', () => {
  it('is the last hour by default, and open at its end', () => {
    expect(readPeriod({}, now)).toEqual({ since: now - HOUR })
  })

  it.each([
    ['2026-06-15T11:00:00Z', HOUR],
    ['2026-06-15T11:00Z', HOUR],
    ['2026-06-15T11:00:00', HOUR],
    ['2026-06-15T13:00:00+02:00', HOUR],
    ['2026-06-15T11:00:00.5Z', HOUR - 500],
    ['2025-06-15T12:00:00Z', 365 * 24 * HOUR],
  ])('since %s', (since, ago) => expect(readPeriod({ since }, now).since).toBe(now - ago))

  it('ends at --until', () => {
    expect(readPeriod({ since: '2h', until: '1h' }, now)).toEqual({
      since: now - 2 * HOUR,
      until: now - HOUR,
    })
  })

  it.each([
    [{ since: '2026-06-15 11:00:00' }, /has no T/, /--since 2026-06-15T11:00:00/],
    [{ since: '2026-06-15_11:00:00Z' }, /has no T/, /T11:00:00Z/],
    [{ since: '2026-06-15' }, /needs a T/, /2026-06-15T00:00:00Z/],
    [{ since: '1781521200' }, /no unit/, /90m/],
    [{ since: 'yesterday' }, /is no time/, /90m/],
    [{ since: '2026-02-30T00:00:00Z' }, /is no time/, /T08:00/],
    [{ since: '' }, /is no time/, /90m/],
    [{ since: '2026-06-15T12:00:01Z' }, /in the future/, /2026-06-15T12:00:00Z now/],
    [{ since: '2025-06-15T11:59:59Z' }, /more than a year back/, /2025-06-15T12:00:00Z/],
    [{ since: '366d' }, /more than a year back/, /2025/],
    [{ since: '1h', until: '2h' }, /--until 2h is before --since 1h/, /90m/],
    [{ until: '2026-06-15 11:00' }, /--until .* has no T/, /--until 2026-06-15T11:00/],
  ])('%j is refused', (words, says, hints) => {
    const asked = () => readPeriod(words, now)
    expect(asked).toThrow(UsageError)
    expect(asked).toThrow(says)
    try {
      asked()
    } catch (error) {
      expect((error as UsageError).hints.join('\n')).toMatch(hints)
    }
  })
})
