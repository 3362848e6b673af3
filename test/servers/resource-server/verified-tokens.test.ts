import { describe, expect, it } from 'vitest'
import type { VerificationKeys } from '../../../src/protocol/tokens/keys.js'
import type { Verdict } from '../../../src/protocol/tokens/verify.js'
import { createVerifiedTokens } from '../../../src/servers/resource-server/access-token.js'

const keys = (): VerificationKeys => ({ kind: 'jwks', jwks: { keys: [] } })
const verdict: Verdict = { ok: true, checks: [], token: { header: {}, claims: {}, parts: ['', '', ''] } }

describe('verified tokens', () => {
  it('are cached for the keys that verified them', () => {
    const tokens = createVerifiedTokens()
    const first = keys()
    tokens.add('a', first, verdict)
    expect(tokens.get('a', first)).toBe(verdict)
    expect(tokens.get('b', first)).toBeUndefined()
    expect(tokens.get('a', keys())).toBeUndefined()
    const second = keys()
    tokens.add('b', second, verdict)
    expect(tokens.get('a', first)).toBeUndefined()
    expect(tokens.get('a', second)).toBeUndefined()
    expect(tokens.get('b', second)).toBe(verdict)
  })

  it('are limited in number', () => {
    const tokens = createVerifiedTokens(2)
    const same = keys()
    const cached = () => ['a', 'b', 'c'].filter(token => tokens.get(token, same))
    for (const token of ['a', 'b']) tokens.add(token, same, verdict)
    expect(cached()).toEqual(['a', 'b'])
    tokens.add('c', same, verdict)
    expect(cached()).toEqual(['c'])
  })
})
