import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { parseForm } from '../../../../src/protocol/http/form.js'
import { byPassword } from '../../../../src/servers/authorization-server/logins/authentication.js'
import {
  type CodeRecord,
  createCodes,
  MAX_CODES,
} from '../../../../src/servers/authorization-server/stores/codes.js'
import {
  createIssuedTokens,
  MAX_REVOCATIONS,
} from '../../../../src/servers/authorization-server/stores/issued-tokens.js'
import { CALLBACK, countedRandom } from '../support.js'

const record: CodeRecord = {
  username: 'alice',
  client_id: 'demo',
  response_type: 'code',
  redirect_uri: CALLBACK,
  redirectUriSent: true,
  scope: [],
  resources: [],
  at: 0,
  ...byPassword(0),
}

describe('codes', () => {
  it('of abandoned logins take bounded memory, and refuse new logins until they end', () => {
    let now = 0
    const codes = createCodes({ lifetime: 1000, retention: 1000, now: () => now, random: countedRandom() })
    const first = codes.issue(record)
    for (let i = 1; i < MAX_CODES; i++) codes.issue(record)
    expect(() => codes.issue(record)).toThrow('temporarily_unavailable')
    expect(codes.find(first)?.state).toBe('issued')
    now = 1000
    const next = codes.issue({ ...record, at: now })
    expect(codes.find(next)?.state).toBe('issued')
    expect(codes.size).toBe(1)
  })

  it('with long values are refused before they take more memory than a hundred thousand short ones', () => {
    const codes = createCodes({ lifetime: 1000, retention: 1000, now: () => 0, random: countedRandom() })
    let issued = 0
    const issue = () => {
      codes.issue({ ...record, nonce: 'x'.repeat(10_000) })
      issued++
    }
    expect(() => {
      for (;;) issue()
    }).toThrow('temporarily_unavailable')
    expect(issued * 20_000).toBeLessThanOrEqual(96 * 1024 * 1024)
  })

  it('that were redeemed are recognised for as long as their tokens live, however many follow', () => {
    let now = 0
    const codes = createCodes({ lifetime: 1000, retention: 5000, now: () => now, random: countedRandom() })
    const family = { id: 'f', owner: 'demo', revoked: false, latest: [] }
    const first = codes.issue(record)
    codes.redeem(first, record, family)
    for (; now < 4990; now += 10) {
      for (let i = 0; i < 100; i++) codes.redeem(codes.issue({ ...record, at: now }), record, family)
      expect(codes.find(first)?.state).toBe('redeemed')
    }
  })
})

describe('issued tokens', () => {
  it('are revoked with their family, even when they join the family later', () => {
    const tokens = createIssuedTokens({ lifetime: 1000, now: () => 0, random: countedRandom() })
    const [family, other] = [tokens.family('demo'), tokens.family('demo')]
    const a = tokens.add(family)
    const b = tokens.add(other)
    expect(tokens.revokeFamily(family)).toEqual([a])
    expect(tokens.revokeFamily(family)).toEqual([])
    expect([a, b, tokens.add(family)].map(tokens.isRevoked)).toEqual([true, false, true])
  })

  it('that were revoked stay so until they end, and others cannot be revoked in a full store', () => {
    let now = 0
    const tokens = createIssuedTokens({ lifetime: 1000, now: () => now, random: countedRandom() })
    for (let i = 0; i < MAX_REVOCATIONS; i++) tokens.revoke(`jti ${i}`, 'demo', 1000)
    expect(() => tokens.revoke('one more', 'demo', 1000)).toThrow('temporarily_unavailable')
    expect(tokens.isRevoked('jti 0')).toBe(true)
    const family = tokens.family('demo')
    const jti = tokens.add(family)
    tokens.revokeFamily(family)
    expect(tokens.isRevoked(jti)).toBe(true)
    now = 1000
    tokens.revoke('one more', 'demo', 2000)
    expect(tokens.isRevoked('one more')).toBe(true)
  })

  it('of a family that is revoked stay so as long as its last token lives', () => {
    let now = 0
    const tokens = createIssuedTokens({ lifetime: 1000, now: () => now, random: countedRandom() })
    const family = tokens.family('demo')
    tokens.revokeFamily(family)
    now = 900
    const late = tokens.add(family)
    now = 1899
    // Enough revocations to make the store drop what has ended.
    for (let i = 0; i < 3000; i++) tokens.revokeFamily(tokens.family('demo'))
    expect(tokens.isRevoked(late)).toBe(true)
  })
})

it('a value of a form does not hold the body of its request', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const heap = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const kept: string[] = []
  const before = heap()
  for (let i = 0; i < 500; i++) {
    const body = Buffer.from(`resource=https://api.example/${i}&padding=${'x'.repeat(60_000)}`)
    kept.push(parseForm(body.toString())[0]![1])
  }
  expect(heap() - before).toBeLessThan(5_000_000)
  expect(kept[499]).toBe('https://api.example/499')
})
