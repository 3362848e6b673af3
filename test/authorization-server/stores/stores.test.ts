import { describe, expect, it } from 'vitest'
import { type CodeRecord, createCodes, MAX_CODES } from '../../../src/authorization-server/stores/codes.js'
import { createExpiringMap } from '../../../src/authorization-server/stores/expiring-map.js'
import { createIssuedTokens } from '../../../src/authorization-server/stores/issued-tokens.js'
import { CALLBACK, countedRandom } from '../support.js'

describe('an expiring map', () => {
  it('keeps an entry for its lifetime and drops it within twice that time', () => {
    let now = 0
    const map = createExpiringMap<number>({ lifetime: 100, limit: 1000, now: () => now })
    map.set('a', 1)
    for (now = 10; now <= 100; now += 10) map.set(`x${now}`, now)
    expect(map.get('a')).toBe(1)
    for (; now <= 210; now += 10) map.set(`x${now}`, now)
    expect(map.get('a')).toBeUndefined()
    expect(map.get('x150')).toBe(150)
  })

  it('drops everything after a long silence', () => {
    let now = 0
    const map = createExpiringMap<number>({ lifetime: 100, limit: 1000, now: () => now })
    map.set('a', 1)
    now = 1000
    map.set('b', 2)
    expect(map.get('a')).toBeUndefined()
    expect(map.size).toBe(1)
  })

  it('never holds more than its limit, and always the latest half', () => {
    const map = createExpiringMap<number>({ lifetime: 100, limit: 10, now: () => 0 })
    for (let i = 0; i < 1000; i++) {
      map.set(`k${i}`, i)
      expect(map.size).toBeLessThanOrEqual(10)
      for (let j = Math.max(0, i - 4); j <= i; j++) expect(map.get(`k${j}`)).toBe(j)
    }
  })

  it('has one value for a key, the latest', () => {
    const map = createExpiringMap<number>({ lifetime: 100, limit: 4, now: () => 0 })
    for (const key of ['a', 'b', 'c', 'a', 'a']) map.set(key, key === 'a' ? 2 : 1)
    expect(map.get('a')).toBe(2)
    expect(map.size).toBe(3)
  })
})

describe('codes', () => {
  it('of a million abandoned logins take bounded memory', () => {
    const codes = createCodes({ lifetime: 1000, retention: 1000, now: () => 0, random: countedRandom() })
    const record: CodeRecord = {
      username: 'alice',
      client_id: 'demo',
      response_type: 'code',
      redirect_uri: CALLBACK,
      redirectUriSent: true,
      scope: [],
      resources: [],
      at: 0,
      loginAt: 0,
    }
    let last = ''
    for (let i = 0; i < 3 * MAX_CODES; i++) last = codes.issue(record)
    expect(codes.size).toBeLessThanOrEqual(MAX_CODES)
    expect(codes.find(last)?.state).toBe('issued')
  })
})

describe('issued tokens', () => {
  it('are revoked with their family, even when they join the family later', () => {
    const tokens = createIssuedTokens({ lifetime: 1000, now: () => 0 })
    const [family, other] = [tokens.family(), tokens.family()]
    tokens.add(family, 'a')
    tokens.add(other, 'b')
    expect(tokens.revokeFamily(family)).toEqual(['a'])
    expect(tokens.revokeFamily(family)).toEqual([])
    tokens.add(family, 'c')
    expect(['a', 'b', 'c'].map(tokens.isRevoked)).toEqual([true, false, true])
  })
})
