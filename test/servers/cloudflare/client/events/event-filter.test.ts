import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fromGraphql, fromRest } from '../../../../../src/servers/cloudflare/client/events/event.js'
import { filterTest, readFilter } from '../../../../../src/servers/cloudflare/client/events/event-query.js'
import { forAll } from '../../../../support/for-all.js'

const strict = { strict: true }

describe('filters', () => {
  it('are read in upper and lower case, with commas', () => {
    const read = readFilter(
      { source: 'ratelimit, WAF', action: 'Drop', country: 'de', host: 'A.example.' },
      strict,
    )
    expect(read).toEqual({
      source: ['rateLimit', 'waf'],
      action: ['drop'],
      country: ['DE'],
      host: ['a.example'],
    })
  })

  it.each([
    [{ source: 'rateLimits' }, /--source "rateLimits" is not one of asn, .*rateLimit/],
    [{ action: 'managed_challenge' }, /--action .* is not one of allow/],
    [{ kind: 'dns' }, /--kind "dns" is not one of firewall/],
    [{ action: ',' }, /--action names nothing/],
    [{ ip: '203.0.113.0/33' }, /--ip .* is no IP address or network/],
    [{ ip: '203.0.113' }, /is no IP address/],
    [{ ip: 'fe80::1%eth0' }, /is no IP address/],
    [{ country: 'Germany' }, /--country "Germany" is no code/],
    [{ host: 'a b' }, /--host "a b" is no host name/],
  ])('%j is refused', (words, says) => expect(() => readFilter(words, strict)).toThrow(says))

  it('accept unknown values, which a newer service may have', () => {
    expect(readFilter({ action: 'managed_challenge', source: 'firewallManaged' }, { strict: false })).toEqual(
      { action: ['managed_challenge'], source: ['firewallManaged'] },
    )
    expect(() => readFilter({ action: 'drop table' }, { strict: false })).toThrow(/not one of/)
  })

  it('match the addresses of a network', () => {
    const within = (ip: string, text: string) =>
      filterTest(readFilter({ ip: text }, strict))(fromRest({ ip }))
    expect(within('203.0.113.7', '203.0.113.0/24')).toBe(true)
    expect(within('203.0.114.7', '203.0.113.0/24')).toBe(false)
    expect(within('203.0.114.7', '203.0.113.0/24,203.0.114.7')).toBe(true)
    expect(within('2001:db8::1', '2001:DB8:0:0::1')).toBe(true)
    expect(within('2001:db9::1', '2001:db8::/32')).toBe(false)
    expect(within('203.0.113.7', '::/0')).toBe(false)
    expect(within('', '0.0.0.0/0')).toBe(false)
  })
})

describe('an event', () => {
  it('is read with any form of time and without missing members', () => {
    expect(fromRest({ occurred_at: '2019-11-15 08:00:00' }).occurred_at).toBe('2019-11-15T08:00:00Z')
    expect(fromRest({ occurred_at: '2019-11-15T08:00:00' }).occurred_at).toBe('2019-11-15T08:00:00Z')
    expect(fromRest({ occurred_at: 'soon', ip: 7, ua: null, uri: ['x'] })).toMatchObject({
      occurred_at: '',
      ip: '7',
      ua: '',
      uri: '',
    })
  })

  it('has all members for any answer, and is marked when it was only logged', () =>
    forAll(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.constantFrom('simulate', 'log', 'drop', 'x'),
      (given, action) => {
        for (const event of [fromRest({ ...given, action }), fromGraphql({ ...given, action })]) {
          const { matches, logged_only, ...texts } = event
          expect(Object.values(texts).every(each => typeof each === 'string' && each.isWellFormed())).toBe(
            true,
          )
          expect(Array.isArray(matches)).toBe(true)
          expect(logged_only).toBe(action === 'simulate' || action === 'log' ? true : undefined)
        }
      },
    ))
})
