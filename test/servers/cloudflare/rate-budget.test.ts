import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createRateBudget } from '../../../src/servers/cloudflare/emulator/emulator.js'
import { forAll } from '../../support/for-all.js'
import { emulator } from './support.js'

const rate = { attempts: 2, window: 10_000 }

/** A budget on a clock that the test sets. */
function budget(start = 1_000_000) {
  let now = start
  const { take } = createRateBudget(rate, () => now)
  const ask = (at: number) => {
    now = at
    return take()
  }
  return { ask }
}

const limited = ({ refused }: { refused?: { status: number } }) => refused?.status === 429

it('refuses once it is spent, until the window ends to the millisecond', () => {
  const { ask } = budget()
  expect([ask(1_000_000), ask(1_000_001)].some(limited)).toBe(false)
  const refused = ask(1_009_999)
  expect(limited(refused)).toBe(true)
  expect(refused.headers).toContainEqual(['ratelimit', '"default";r=0;t=1'])
  expect(limited(ask(1_010_000))).toBe(false)
})

it('starts a new window when the clock is set back', () => {
  const { ask } = budget()
  ask(1_000_000)
  ask(1_000_000)
  expect(limited(ask(1_000_000))).toBe(true)
  const again = ask(400_000)
  expect(limited(again)).toBe(false)
  expect(again.headers).toContainEqual(['ratelimit', '"default";r=1;t=10'])
  expect(limited(ask(400_001))).toBe(false)
  expect(limited(ask(400_002))).toBe(true)
})

it('never reports a wait longer than its window, for any change of the clock', () =>
  forAll(fc.array(fc.integer({ min: 0, max: 50_000 }), { maxLength: 40 }), times => {
    const { ask } = budget(0)
    for (const at of times) {
      const [, value = ''] = ask(at).headers[0] ?? []
      const [, left, seconds] = /^"default";r=(\d+);t=(\d+)$/.exec(value) ?? []
      expect(Number(left)).toBeLessThan(rate.attempts)
      expect(Number(seconds)).toBeGreaterThan(0)
      expect(Number(seconds)).toBeLessThanOrEqual(rate.window / 1000)
    }
  }))

describe('a token with an owner', () => {
  const tokens = [
    { name: 'k7-01', token: 'first-token-of-a-seat' },
    { name: 'k7-02', token: 'other-token-of-a-seat' },
  ]
  const by = (token: string) => ({ headers: [['Authorization', `bearer ${token}`]] as const })

  it('has a budget of its own, and events that name the owner', async () => {
    const { ask, published } = emulator({ tokens, rate })
    const zones = '/client/v4/zones'
    const statuses: number[] = []
    for (const token of ['first-token-of-a-seat', 'first-token-of-a-seat', 'first-token-of-a-seat'])
      statuses.push((await ask(zones, by(token))).status)
    statuses.push((await ask(zones, by('other-token-of-a-seat'))).status, (await ask(zones)).status)
    expect(statuses).toEqual([200, 200, 429, 200, 200])
    expect(published.map(({ type, by }) => [type, by])).toEqual([
      ['dns.zones_read', 'k7-01'],
      ['dns.zones_read', 'k7-01'],
      ['dns.refused', 'k7-01'],
      ['dns.zones_read', 'k7-02'],
      ['dns.zones_read', undefined],
    ])
  })

  it('is no other token', async () => {
    const { ask } = emulator({ tokens })
    expect((await ask('/client/v4/zones', by('third-token-of-a-seat'))).status).toBe(400)
    expect((await ask('/client/v4/user/tokens/verify', by('other-token-of-a-seat'))).status).toBe(200)
  })
})
