import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  encodeForm,
  FormError,
  MAX_PARAMETERS,
  pairsInOrder,
  parseForm,
  percentEncode,
  readableForm,
  readParameters,
} from '../../../src/protocol/http/form.js'
import { forAll } from '../../support/for-all.js'

describe('parseForm', () => {
  it('reads the example of RFC 6749 Appendix B', () => {
    expect(parseForm('v=+%25%26%2B%C2%A3%E2%82%AC')).toEqual([['v', ' %&+£€']])
  })

  it.each(
    Object.entries({
      '': [],
      a: [['a', '']],
      'a=': [['a', '']],
      '=': [['', '']],
      '=v': [['', 'v']],
      'a=b=c': [['a', 'b=c']],
      'a=%3D%26': [['a', '=&']],
      'a=1&&b=2&': [
        ['a', '1'],
        ['b', '2'],
      ],
      'a=1&a=2': [
        ['a', '1'],
        ['a', '2'],
      ],
      'a=1;b=2': [['a', '1;b=2']],
      'a%20b=c+d': [['a b', 'c d']],
      'a=%00%1b': [['a', '\0\x1b']],
      'a=\ufeff%EF%BB%BF': [['a', '\ufeff\ufeff']],
      'a=£': [['a', '£']],
      'a=£+%2B+b': [['a', '£ + b']],
      '__proto__=x': [['__proto__', 'x']],
    }),
  )('reads %j', (written, pairs) => expect(parseForm(written)).toEqual(pairs))

  it.each([
    'a=%',
    'a=%4',
    'a=%zz',
    'a=% 1',
    'a=%+1',
    'a=%-1',
    '%=a',
    'a=%E2%82',
    'a=%ff',
    'a=%C0%80',
    'a=%ED%A0%80',
    'a=%é1',
    'a=£%',
  ])('refuses %j', written => expect(() => parseForm(written)).toThrow(FormError))

  it('refuses more parameters than it reads, and cuts none', () => {
    const parameters = (count: number) => Array.from({ length: count }, (_, i) => `p${i}=${i}`).join('&')
    expect(parseForm(parameters(MAX_PARAMETERS))).toHaveLength(MAX_PARAMETERS)
    expect(() => parseForm(parameters(MAX_PARAMETERS + 1))).toThrow(FormError)
  })

  it('throws only FormError, for any text', () => {
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('%', '+', '&', '=', 'a', 'f', '0', 'E', '\ud800', '€') }),
      fc.uint8Array({ maxLength: 200 }).map(raw => Buffer.from(raw).toString('latin1')),
    )
    fc.assert(
      fc.property(hostile, written => {
        try {
          for (const [name, value] of parseForm(written)) {
            expect(name.isWellFormed() && value.isWellFormed()).toBe(true)
          }
        } catch (error) {
          expect(error).toBeInstanceOf(FormError)
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('readableForm', () => {
  it('reads the pairs that it can decode, and keeps the first problem', () => {
    const { pairs, problem } = readableForm('a=1&b=%zz&c=%ff&d=2')
    expect(pairs).toEqual([
      ['a', '1'],
      ['d', '2'],
    ])
    expect(problem).toBeInstanceOf(FormError)
    expect(problem?.message).toBe('a % is not followed by two hexadecimal digits')
    expect(readableForm('c=%ff').problem?.message).toBe('a value is not UTF-8')
  })

  it('has no problem with a form that can be decoded', () => {
    expect(readableForm('a=1')).toStrictEqual({ pairs: [['a', '1']] })
    expect(readableForm('')).toStrictEqual({ pairs: [] })
  })
})

describe('encodeForm', () => {
  it('writes only unreserved characters plain and leaves undefined values out', () => {
    expect(
      encodeForm([
        ['a b', "AZaz09-._~ !'()*+/:?#[]@$&,;=%"],
        ['none', undefined],
        ['empty', ''],
      ]),
    ).toBe('a%20b=AZaz09-._~%20%21%27%28%29%2A%2B%2F%3A%3F%23%5B%5D%40%24%26%2C%3B%3D%25&empty=')
  })

  it('replaces a lone surrogate and does not throw', () => {
    expect(percentEncode('\ud800')).toBe('%EF%BF%BD')
  })

  it('is undone by parseForm, and URLSearchParams reads the same', async () => {
    const wellFormed = fc.string({ unit: 'grapheme' }).map(each => each.toWellFormed())
    const pairs = fc.array(fc.tuple(wellFormed, wellFormed), { maxLength: MAX_PARAMETERS })
    await forAll(pairs, wanted => {
      const written = encodeForm(wanted)
      expect(parseForm(written)).toEqual(wanted)
      expect([...new URLSearchParams(written)]).toEqual(wanted)
    })
  })

  it('writes nothing that could end a header line or a tag', () =>
    forAll(fc.string({ unit: 'binary' }), value => {
      expect(percentEncode(value)).toMatch(/^[A-Za-z0-9\-._~%]*$/)
    }))
})

describe('readParameters', () => {
  const read = (written: string) => {
    const { values, repeated } = readParameters(parseForm(written), ['state', 'code'])
    return { values: { ...values }, repeated }
  }

  it.each([
    ['state=s&code=c&other=o&other=o', { state: 's', code: 'c' }, []],
    ['state=&code=c', { code: 'c' }, []],
    ['state=a&state=b', { state: 'a' }, ['state']],
    ['state=a&state=b&state=c', { state: 'a' }, ['state']],
    ['state=&state=b', {}, ['state']],
    ['State=a&STATE=b', {}, []],
    ['__proto__=a&constructor=b', {}, []],
  ])('reads %s', (written, values, repeated) => expect(read(written)).toEqual({ values, repeated }))

  it('has no inherited members that could be taken for parameters', () => {
    const { values } = readParameters([], ['toString'])
    expect(values.toString).toBeUndefined()
  })
})

it('pairsInOrder gives what was sent in the order of the known names', () => {
  const known = ['state', 'code', 'toString'] as const
  const { values } = readParameters(parseForm('code=c&other=o&state=s'), known)
  expect(pairsInOrder(values, known)).toEqual([
    ['state', 's'],
    ['code', 'c'],
  ])
})
