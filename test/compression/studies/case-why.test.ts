import { describe, expect, it } from 'vitest'
import { caseWhy } from '../../../src/compression/studies/case-why.js'
import type { CaseHop } from '../../../src/compression/studies/cases.js'

describe('caseWhy', () => {
  const hop = (more: Partial<CaseHop>): CaseHop => {
    return {
      from: 'server',
      to: 'client',
      offer: 'gzip',
      coding: 'gzip',
      wireBytes: 935,
      vary: 'Accept-Encoding',
      ...more,
    }
  }
  const direct = { name: 'A', title: 'no proxy', mode: null, offer: 'gzip' } as const
  const why = (first: CaseHop, bodyBytes = 204_800): string[] =>
    caseWhy(direct, { hops: [first], bodyBytes, headBytes: 200 }, undefined)

  it.each([
    ['coded', hop({}), 204_800, ['219 times smaller', '181 times with the headers', 'gzip is offered']],
    ['larger than the body', hop({ wireBytes: 57 }), 31, ['26 B more than the body']],
    [
      'raw where nothing was offered',
      hop({ offer: null, coding: 'identity' }),
      2048,
      ['no Accept-Encoding was sent'],
    ],
    [
      'raw though offered, without Vary',
      hop({ coding: 'identity', vary: null }),
      2048,
      ['serve --compression'],
    ],
    [
      'raw though offered, with Vary',
      hop({ coding: 'identity' }),
      2048,
      ['it does not compress this kind of answer'],
    ],
    ['without Vary', hop({ vary: null }), 204_800, ['Without Vary a cache']],
  ])('%s', (_what, first, bodyBytes, expected) => {
    const text = why(first, bodyBytes).join(' ')
    for (const part of expected) expect(text).toContain(part)
  })

  it('repeats why the proxy failed', () => {
    const exchange = { method: 'GET', path: '/', status: 502, did: 'failed', why: 'nobody listens' } as const
    const client = { acceptEncoding: null, coding: 'identity', wireBytes: 20, vary: null }
    expect(
      caseWhy(
        { ...direct, mode: 'force' },
        { hops: [hop({})], bodyBytes: 1, headBytes: 1 },
        { ...exchange, client },
      ),
    ).toEqual(['The proxy had nothing to pass on: nobody listens.'])
  })
})
