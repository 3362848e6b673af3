import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Coding,
  negotiate,
  parseAcceptEncoding,
  prefersHtml,
} from '../../../src/protocol/http/negotiation.js'
import { forAll } from '../../support/for-all.js'

const available: readonly Coding[] = ['br', 'gzip']
const choose = (...lines: string[]) => negotiate(parseAcceptEncoding(lines), available).coding

describe('parseAcceptEncoding', () => {
  it('returns undefined for a missing field, and an empty list for an empty field', () => {
    expect(parseAcceptEncoding([])).toBeUndefined()
    expect(parseAcceptEncoding([''])).toEqual([])
    expect(parseAcceptEncoding([' , ,'])).toEqual([])
  })

  it('keeps unreadable parts with the reason', () => {
    expect(parseAcceptEncoding(['gz ip;q=1, br;q=2, gzip;q=.5'])).toEqual([
      { sent: 'gz ip;q=1', coding: '', q: 0, ignored: 'it is no token (RFC 9110 §5.6.2)' },
      {
        sent: 'br;q=2',
        coding: 'br',
        q: 0,
        ignored: 'its weight is not 0 to 1 with at most three digits (§12.4.2)',
      },
      {
        sent: 'gzip;q=.5',
        coding: 'gzip',
        q: 0,
        ignored: 'its weight is not 0 to 1 with at most three digits (§12.4.2)',
      },
    ])
  })

  it('never throws, and reads every weight as a number from 0 to 1', () =>
    forAll(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), lines => {
      for (const { q } of parseAcceptEncoding(lines) ?? []) {
        expect(q >= 0 && q <= 1).toBe(true)
      }
    }))
})

describe('negotiate', () => {
  // The examples of RFC 9110 §12.5.3 first.
  it.each([
    [['compress, gzip'], 'gzip'],
    [[''], 'identity'],
    [['*'], 'br'],
    [['compress;q=0.5, gzip;q=1.0'], 'gzip'],
    [['gzip;q=1.0, identity; q=0.5, *;q=0'], 'gzip'],
    [[], 'identity'],
    [['gzip'], 'gzip'],
    [['br'], 'br'],
    [['gzip, br'], 'br'],
    [['br;q=0.5, gzip'], 'gzip'],
    [['br;q=1.0, gzip;q=0.5'], 'br'],
    [['gzip;q=0'], 'identity'],
    [['gzip;q=0.000'], 'identity'],
    [['gzip\t;\tq=0'], 'identity'],
    [['gzip;q=0;x=1'], 'identity'],
    [['gzip;q=0, *'], 'br'],
    [['br;q=0, *'], 'gzip'],
    [['*;q=0'], 'identity'],
    [['*;q=0, gzip'], 'gzip'],
    [['identity;q=0'], 'identity'],
    [['identity;q=0, gzip'], 'gzip'],
    [['identity, gzip;q=0.5'], 'identity'],
    [['identity;q=0.5, gzip;q=1'], 'gzip'],
    [['identity, gzip'], 'gzip'],
    [['deflate'], 'identity'],
    [['deflate,gzip'], 'gzip'],
    [['x-gzip'], 'gzip'],
    [['GZIP;Q=1'], 'gzip'],
    [['xgzip'], 'identity'],
    [['gzip-foo'], 'identity'],
    [['compress, x-compress'], 'identity'],
    [[',, gzip ,'], 'gzip'],
    [['deflate', 'gzip'], 'gzip'],
    [['gzip;q=abc'], 'identity'],
    [['gzip;q=2'], 'identity'],
    [['gzip  ;  q=0'], 'identity'],
    [['gzip  ;  q=0.5'], 'gzip'],
    [['gzip;q =1'], 'identity'],
    [['gzip;q=1;q=0.5'], 'identity'],
    [['gzip;xq=0'], 'gzip'],
    [['gzip;level=9'], 'gzip'],
    [['gzip;q=2, gzip'], 'gzip'],
    [['deflate, gzip;q=0.5'], 'gzip'],
    [['br;q=0.999, gzip;q=1.000'], 'gzip'],
    [['gzip;q=1.001'], 'identity'],
    [['gzip;q=-1'], 'identity'],
    [['gzip;q=0.0001'], 'identity'],
    [['gzip, gzip;q=0'], 'gzip'],
    [['br;q=0, gzip'], 'gzip'],
    [[`${'a'.repeat(8000)}, gzip`], 'gzip'],
    [[`${'a,'.repeat(400)}gzip`], 'gzip'],
  ] as const)('%j → %s', (lines, coding) => expect(choose(...lines)).toBe(coding))

  it.each([
    [[], 'identity', 'no Accept-Encoding was sent', '12.5.3'],
    [[''], 'identity', 'the list is empty', '12.5.3'],
    [['gzip;q=2'], 'identity', 'the list is empty', '12.5.3'],
    [['deflate'], 'identity', 'is offered', '12.5.3'],
    [['gzip;q=0'], 'identity', 'q=0 refuses', '12.4.2'],
    [['deflate, gzip;q=0'], 'identity', 'q=0 refuses', '12.4.2'],
    [['identity, gzip;q=0.5'], 'identity', 'identity has the highest weight', '12.4.2'],
    [['gzip'], 'gzip', 'gzip is offered', '12.5.3'],
    [['deflate, gzip'], 'gzip', 'gzip is offered', '12.5.3'],
    [['br;q=0, *'], 'gzip', '* stands for gzip', '12.5.3'],
    [['br;q=0.5, gzip'], 'gzip', 'gzip has the highest weight', '12.4.2'],
    [['gzip, br'], 'br', 'br is what this server prefers', '12.5.3'],
  ] as const)('%j → %s, and says why', (lines, coding, why, rule) => {
    expect(negotiate(parseAcceptEncoding(lines), available)).toEqual({
      coding,
      why: expect.stringContaining(why),
      rule,
    })
  })

  it('never chooses what is refused or not offered', async () => {
    const name = fc.constantFrom('gzip', 'br', 'deflate', 'identity', '*', 'zstd')
    const q = fc.constantFrom('', ';q=0', ';q=0.5', ';q=1', ';q=0.001')
    await forAll(fc.uniqueArray(fc.tuple(name, q), { selector: ([each]) => each }), members => {
      const offered = new Map(members)
      const { coding } = negotiate(
        parseAcceptEncoding([members.map(each => each.join('')).join(', ')]),
        available,
      )
      if (coding === 'identity') return
      expect(offered.get(coding) ?? offered.get('*') ?? ';q=0').not.toBe(';q=0')
    })
  })
})

describe('prefersHtml', () => {
  it.each([
    ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', true],
    ['TEXT/HTML; q=0.5, */*;q=0.1', true],
    ['text/html, application/json', true],
    ['text/html;q=0.8, application/json', false],
    ['text/html;q=0', false],
    ['text/html;q=2', false],
    ['text/*', false],
    ['*/*', false],
    ['application/json', false],
    ['', false],
  ])('of %j is %s', (line, expected) => expect(prefersHtml([line])).toBe(expected))

  it('is false without a field, and reads several fields as one list', () => {
    expect(prefersHtml([])).toBe(false)
    expect(prefersHtml(['text/html;q=0.5', 'text/plain'])).toBe(false)
  })
})
