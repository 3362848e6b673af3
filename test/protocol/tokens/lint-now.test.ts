import { describe, expect, it } from 'vitest'
import { lintNow } from '../../../src/protocol/tokens/explain.js'

const now = Date.UTC(2026, 0, 2, 12)
const seconds = now / 1000
const names = (claims: Record<string, unknown>, unit: 1 | 1000 = 1, audience?: string) =>
  lintNow(claims, { now, unit, ...(audience !== undefined && { audience }) }).map(({ name }) => name)

describe('lintNow', () => {
  it.each([
    [{}, []],
    [{ exp: seconds + 1 }, []],
    [{ exp: seconds }, ['expired']],
    [{ exp: seconds - 1 }, ['expired']],
    [{ exp: 'soon', nbf: null, iat: {} }, []],
    [
      { exp: `${seconds - 1}`, nbf: `${seconds + 1}`, iat: `${seconds + 1}` },
      ['expired', 'not_yet_valid', 'issued_in_future'],
    ],
    [{ nbf: seconds }, []],
    [{ nbf: seconds + 1 }, ['not_yet_valid']],
    [{ iat: seconds }, []],
    [{ iat: seconds + 1 }, ['issued_in_future']],
    [{ exp: seconds, nbf: seconds + 1, iat: seconds + 1 }, ['expired', 'not_yet_valid', 'issued_in_future']],
  ])('remarks on the dates %j (RFC 7519 §4.1)', (claims, remarks) => {
    expect(names(claims)).toEqual(remarks)
  })

  it('reads dates in milliseconds when the token has such', () => {
    expect(names({ exp: now, nbf: now, iat: now }, 1000)).toEqual(['expired'])
    expect(names({ exp: now + 1, nbf: now + 1, iat: now + 1 }, 1000)).toEqual([
      'not_yet_valid',
      'issued_in_future',
    ])
  })

  it.each([
    ['demo', []],
    [['other', 'demo'], []],
    ['other', ['wrong_aud']],
    [['other'], ['wrong_aud']],
    [[], ['wrong_aud']],
    [undefined, ['wrong_aud']],
    ['demo2', ['wrong_aud']],
  ])('compares the audience %j with demo (RFC 7519 §4.1.3)', (aud, remarks) => {
    expect(names({ aud }, 1, 'demo')).toEqual(remarks)
    expect(names({ aud })).toEqual([])
  })

  it('names the rule of each remark', () => {
    const claims = { exp: 0, nbf: seconds + 1, iat: seconds + 1 }
    expect(lintNow(claims, { now, unit: 1, audience: 'demo' }).map(({ rule }) => rule)).toEqual([
      'RFC 7519 §4.1.4',
      'RFC 7519 §4.1.5',
      'RFC 7519 §4.1.6',
      'RFC 7519 §4.1.3',
    ])
  })
})
