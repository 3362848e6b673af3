import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { answerIn, fragmentOf } from '../../../src/protocol/oauth/authorization-response.js'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { forAll } from '../../support/for-all.js'
import { thrown } from '../../support/refusal.js'

const cb = 'http://127.0.0.1:7000/cb'

const refusal = (landed: string, place: 'query' | 'fragment') => thrown(() => answerIn(landed, place))

describe('an answer', () => {
  it.each([
    ['query', `${cb}?code=c&state=s`, 'code=c&state=s'],
    ['query', `${cb}?code=c&state=s#_=_`, 'code=c&state=s'],
    ['fragment', `${cb}?tenant=a#access_token=t&state=s`, 'access_token=t&state=s'],
    // Neither part is a response: the reader reports what is missing.
    ['query', `${cb}?tenant=a`, 'tenant=a'],
    ['fragment', cb, ''],
  ] as const)('is read from the %s of %s', (place, landed, part) => {
    expect(answerIn(landed, place)).toBe(part)
  })

  it.each([
    [
      'a code in the fragment',
      'query',
      `${cb}?tenant=a#code=c&state=s`,
      /in the fragment .*in the query$/,
      'RFC 6749 §4.1.2',
    ],
    [
      'a token in the query',
      'fragment',
      `${cb}?access_token=t&state=s`,
      /in the query .*in the fragment/,
      'RFC 6749 §4.2.2',
    ],
    [
      'an error in the query',
      'fragment',
      `${cb}?error=access_denied&state=s`,
      /it reports access_denied$/,
      'RFC 6749 §4.2.2',
    ],
  ] as const)('is refused by its place: %s', (_what, place, landed, description, rule) => {
    const error = refusal(landed, place)
    expect(error).toMatchObject({
      code: 'invalid_response',
      description: expect.stringMatching(description),
      rule,
    })
    expect(error.description).not.toMatch(/=[cts]\b/)
  })

  it('is read or refused, whatever it is', () =>
    forAll(fc.string(), fc.string(), (query, fragment) => {
      const landed = `${cb}?${query}#${fragment}`
      for (const place of ['query', 'fragment'] as const) {
        try {
          expect(landed).toContain(answerIn(landed, place))
        } catch (error) {
          expect(error).toBeInstanceOf(OAuthError)
        }
      }
    }))
})

it.each([
  ['http://x/#a=%2B#c', 'a=%2B#c'],
  ['http://x/?a#', ''],
  ['http://x/', ''],
  ['#a=b', 'a=b'],
])('fragmentOf: %s → %s', (url, fragment) => expect(fragmentOf(url)).toBe(fragment))
