import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sourceOf } from '../../../../src/protocol/http/network.js'
import { createGuessLimit } from '../../../../src/servers/authorization-server/logins/guess-limit.js'
import type { PasswordVerdict } from '../../../../src/servers/authorization-server/logins/passwords.js'
import { forAll } from '../../../support/for-all.js'

const rate = { attempts: 3, window: 60_000 }

function guesses(limited: typeof rate | 'off' = rate) {
  const clock = { now: 0 }
  const limit = createGuessLimit(limited, { now: () => clock.now })
  let checks = 0
  let most = 0
  let checked = 0
  /** Checks that take a few turns, so that parallel ones overlap. */
  const guess = async (
    username: string,
    verdict: PasswordVerdict,
    address = '192.0.2.1',
    turns = 5,
    more: { readonly device?: string; readonly proof?: 'code' } = {},
  ) => {
    const attempt = { accounts: [username], source: sourceOf(address), ...more }
    const { kind } = await limit.check(attempt, async () => {
      checked++
      most = Math.max(most, ++checks)
      for (let i = 0; i < turns; i++) await Promise.resolve()
      checks--
      return verdict
    })
    return kind
  }
  const count = (kinds: readonly string[], kind: string) => kinds.filter(each => each === kind).length
  return { clock, limit, guess, count, most: () => most, checked: () => checked }
}

describe('right passwords', () => {
  it.each([20, 500])('that come at once are all accepted: %d of them', async number => {
    const { guess, count, most } = guesses()
    const kinds = await Promise.all(Array.from({ length: number }, () => guess('alice', 'right')))
    expect(count(kinds, 'right')).toBe(number)
    expect(most()).toBe(3)
  })

  it('wait for wrong passwords in flight, and are not checked once the limit is reached', async () => {
    const { guess, checked } = guesses()
    const wrong = [1, 2, 3].map(() => guess('alice', 'wrong'))
    const right = [1, 2].map(() => guess('alice', 'right'))
    expect(await Promise.all(wrong)).toEqual(['wrong', 'wrong', 'wrong'])
    expect(await Promise.all(right)).toEqual(['limited', 'limited'])
    expect(checked()).toBe(3)
  })

  it('of others do not wait', async () => {
    const { limit, guess } = guesses()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    const slow = [1, 2, 3].map(() =>
      limit.check({ accounts: ['alice'], source: '192.0.2.1' }, () => held.then(() => 'right' as const)),
    )
    expect(await guess('bob', 'right')).toBe('right')
    expect(await guess('alice', 'right', '192.0.2.2')).toBe('right')
    const fourth = guess('alice', 'right')
    expect(await Promise.race([fourth, Promise.resolve('waits')])).toBe('waits')
    release()
    expect(await fourth).toBe('right')
    expect(await Promise.all(slow)).toHaveLength(3)
  })

  it('do not count, and neither do passwords that were not checked', async () => {
    const { guess } = guesses()
    for (let i = 0; i < 10; i++) {
      expect(await guess('alice', 'right')).toBe('right')
      expect(await guess('alice', 'busy')).toBe('busy')
    }
    expect(await guess('alice', 'wrong')).toBe('wrong')
  })

  it('are refused as busy when a thousand wait already', async () => {
    const { guess, count } = guesses()
    const kinds = await Promise.all(Array.from({ length: 1013 }, () => guess('alice', 'right')))
    expect([count(kinds, 'right'), count(kinds, 'busy')]).toEqual([1003, 10])
    expect(await guess('alice', 'right')).toBe('right')
  })
})

describe('wrong passwords', () => {
  it('at once are checked as often as the limit says, however long a check takes', () =>
    forAll(fc.array(fc.nat(20), { minLength: 4, maxLength: 40 }), async turns => {
      const { guess, count } = guesses()
      const kinds = await Promise.all(turns.map(each => guess('alice', 'wrong', '192.0.2.1', each)))
      expect([count(kinds, 'wrong'), count(kinds, 'limited')]).toEqual([3, turns.length - 3])
    }))

  it('are limited until the window ends', async () => {
    const { clock, limit, guess } = guesses()
    for (let i = 0; i < 3; i++) await guess('alice', 'wrong')
    clock.now = 1_500
    const attempt = { accounts: ['alice'], source: '192.0.2.1' }
    expect(await limit.check(attempt, async () => 'right')).toEqual({
      kind: 'limited',
      retryAfterSeconds: 59,
    })
    clock.now = 60_000
    expect(await guess('alice', 'right')).toBe('right')
  })

  it.each([
    ['of 127.0.0.0/8', (i: number) => `127.0.0.${i}`],
    ['of one IPv6 /64', (i: number) => `2001:db8::${i.toString(16)}`],
  ])('from 40 addresses %s are as few as from one', async (_, address) => {
    const { guess, count } = guesses()
    const kinds = []
    for (let i = 1; i <= 40; i++) kinds.push(await guess('alice', 'wrong', address(i)))
    expect(count(kinds, 'wrong')).toBe(3)
  })

  it('for one user from many sources are twice as many at most', async () => {
    const { guess, count } = guesses()
    const kinds = []
    for (let i = 1; i <= 40; i++) kinds.push(await guess('alice', 'wrong', `192.0.2.${i}`))
    expect([count(kinds, 'wrong'), count(kinds, 'limited')]).toEqual([6, 34])
    expect(await guess('bob', 'right', '192.0.2.1')).toBe('right')
  })

  it('for many users from one source are ten times as many at most', async () => {
    const { guess, count } = guesses()
    const kinds = []
    for (let i = 1; i <= 40; i++) kinds.push(await guess(`user ${i}`, 'wrong'))
    expect([count(kinds, 'wrong'), count(kinds, 'limited')]).toEqual([30, 10])
    expect(await guess('user 1', 'right', '192.0.2.2')).toBe('right')
  })

  it('are not limited when the limit is off', async () => {
    const { guess, count } = guesses('off')
    const kinds = await Promise.all(Array.from({ length: 100 }, () => guess('alice', 'wrong')))
    expect(count(kinds, 'wrong')).toBe(100)
  })
})

it('a check that fails unexpectedly frees its place', async () => {
  const { limit, guess } = guesses()
  const attempt = { accounts: ['alice'], source: '192.0.2.1' }
  const broken = () => limit.check(attempt, () => Promise.reject(new Error('no memory')))
  const results = await Promise.allSettled(Array.from({ length: 10 }, broken))
  expect(results.map(each => each.status)).toEqual(Array(10).fill('rejected'))
  expect(await guess('alice', 'right')).toBe('right')
})

describe('a device from which the person logged in before', () => {
  const device = 'a browser'
  /** Guesses of others, from many networks and from that of the person. */
  const attacked = async () => {
    const world = guesses()
    const { guess } = world
    const own = (verdict: PasswordVerdict, more: object = { device }) =>
      guess('alice', verdict, '192.0.2.1', 5, more)
    expect(await own('right')).toBe('right')
    for (let i = 1; i <= 40; i++) await guess('alice', 'wrong', `192.0.2.${i}`)
    for (let i = 1; i <= 40; i++) await guess(`user ${i}`, 'wrong')
    return { ...world, own }
  }

  it('lets the person in, whatever others guess', async () => {
    const { own } = await attacked()
    expect(await own('right')).toBe('right')
  })

  it('has the limit of one device', async () => {
    const { own } = await attacked()
    const kinds = []
    for (let i = 0; i < 5; i++) kinds.push(await own('wrong'))
    expect(kinds).toEqual(['wrong', 'wrong', 'wrong', 'limited', 'limited'])
    expect(await own('right')).toBe('limited')
  })

  it.each([
    ['no cookie', {}],
    ['the cookie of another browser', { device: 'another browser' }],
    ['one-time codes, after a password alone', { device, proof: 'code' }],
  ])('is no way in with %s', async (_, more) => {
    const { own } = await attacked()
    expect(await own('right', more)).toBe('limited')
  })

  it('is none for another person', async () => {
    const { guess } = await attacked()
    expect(await guess('user 1', 'right', '192.0.2.1', 5, { device })).toBe('limited')
  })
})
