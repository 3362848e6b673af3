import fc from 'fast-check'
import stringWidth from 'string-width'
import { describe, expect, it } from 'vitest'
import { makeSafe } from '../../../../src/protocol/safe-output/safe.js'
import {
  bar,
  cutEnd,
  cutMiddle,
  fill,
  pad,
  shorten,
  width,
  wrap,
} from '../../../../src/show/render/text/text.js'
import { forAll } from '../../../support/for-all.js'

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      '\x1b]0;x\x07',
      '\r',
      '\b',
      '\0',
      '\u202e',
      '\t',
      '\n',
      '\ud800',
      '漢',
      '👩‍👩‍👧',
      'é',
      'e\u0301',
      '\u0301',
      'a',
      '\x9b',
    ),
  }),
)

describe('makeSafe', () => {
  it.each([
    ['plain ~text', 'plain ~text'],
    ['\x1b[31mred', '␛[31mred'],
    ['\x1b]52;c;aGk=\x07', '␛]52;c;aGk=␇'],
    ['a\r\nb\tc\0', 'a␍␊b␉c␀'],
    ['\x7f\x9b2J', '␡<U+009B>2J'],
    ['abc\u202edcba', 'abc<U+202E>dcba'],
    ['\u200b\ufeff\u2028\u2066', '<U+200B><U+FEFF><U+2028><U+2066>'],
    ['x\ud800y', 'x\ufffdy'],
    ['\u0301x', '◌\u0301x'],
    ['漢字 é', '漢字 é'],
  ])('%j becomes %j', (text, shown) => expect(makeSafe(text)).toBe(shown))

  it('spells everything beyond ASCII where the terminal has no more', () => {
    expect(makeSafe('é\x1b\x7f\ud800👍', { ascii: true })).toBe('<U+00E9>^[^?<U+FFFD><U+1F44D>')
  })

  it('never lets a control, format or surrogate character through', () =>
    forAll(hostile, text => {
      expect(makeSafe(text)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u)
      expect(makeSafe(text, { ascii: true })).toMatch(/^[\x20-\x7e]*$/)
    }))
})

describe('cutting', () => {
  it.each([
    ['short', 10, 'short'],
    ['exactly ten', 11, 'exactly ten'],
    ['a longer sentence', 8, 'a longe…'],
    ['漢字漢字', 5, '漢字…'],
    ['漢字漢字', 4, '漢…'],
    ['abc', 1, `${'…'.slice(1)}a`],
    ['abc', 0, ''],
  ])('cutEnd(%j, %i) is %j', (text, columns, cut) => expect(cutEnd(text, columns)).toBe(cut))

  it('cuts codes in the middle', () => {
    expect(cutMiddle('k3V9abcdefQm1', 8)).toBe('k3V9…Qm1')
    expect(shorten('k3V9abcdefQm1')).toBe('k3V9…Qm1')
    expect(shorten('k3V9abcdefQm1', '...')).toBe('k3V9...Qm1')
    expect(shorten('short')).toBe('short')
  })

  it('never exceeds the columns and never splits a character', () =>
    forAll(
      hostile.map(text => makeSafe(text)),
      fc.nat(40),
      (text, columns) => {
        for (const cut of [cutEnd(text, columns), cutMiddle(text, columns)]) {
          expect(stringWidth(cut)).toBeLessThanOrEqual(columns)
          expect(cut.isWellFormed()).toBe(true)
        }
        expect(stringWidth(fill(text, columns))).toBe(columns)
        if (stringWidth(text) <= columns) expect(cutEnd(text, columns)).toBe(text)
      },
    ))

  it('cuts a text of megabytes without measuring all of it', () => {
    const text = 'é'.repeat(2_000_000)
    expect(width(cutEnd(text, 80))).toBe(80)
    expect(width(cutMiddle(text, 80))).toBe(80)
  })
})

it('pad fills with spaces on the wanted side', () => {
  expect([pad('ab', 5), pad('ab', 5, 'right'), pad('ab', 5, 'centre'), pad('漢', 3), pad('abc', 2)]).toEqual([
    'ab   ',
    '   ab',
    ' ab  ',
    '漢 ',
    'abc',
  ])
})

describe('wrap', () => {
  it('breaks between words, and inside words that are too long', () => {
    expect(wrap('the quick brown fox', 9)).toEqual(['the quick', 'brown fox'])
    expect(wrap('the quick  brown fox', 10)).toEqual(['the quick', 'brown fox'])
    expect(wrap('abcdefghij kl', 4)).toEqual(['abcd', 'efgh', 'ij', 'kl'])
    expect(wrap('', 4)).toEqual([''])
  })

  it('loses no character and keeps every line within the columns', () =>
    forAll(
      hostile.map(text => makeSafe(text)),
      fc.integer({ min: 2, max: 40 }),
      (text, columns) => {
        const lines = wrap(text, columns)
        for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(columns)
        expect(lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
      },
    ))
})

describe('bar', () => {
  it.each([
    [0, 10, ''],
    [Number.NaN, 10, ''],
    [0.000001, 10, '▏'],
    [0.5, 1, '▌'],
    [0.99, 3, '███'],
    [0.9, 3, '██▊'],
    [1, 3, '███'],
    [7, 3, '███'],
  ])('bar(%d, %i) is %j', (fraction, columns, drawn) => expect(bar(fraction, columns)).toBe(drawn))

  it('has an ASCII form', () => {
    expect(bar(0.5, 10, { ascii: true })).toBe('#####')
    expect(bar(0.001, 10, { ascii: true })).toBe('#')
  })
})

it('width is that of string-width, also for the signs it knows by heart', async () => {
  const signs = '─┄│╭╮╰╯█▏▎▍▌▋▊▉§·•…←→⇄►◄●○✓✗'
  for (const sign of signs) expect([sign, width(sign)]).toEqual([sign, stringWidth(sign)])
  await forAll(
    fc.oneof(hostile, fc.string({ unit: fc.constantFrom(...signs, 'a', '漢', '\u0301') })),
    text => {
      expect(width(text)).toBe(stringWidth(text))
    },
  )
})
