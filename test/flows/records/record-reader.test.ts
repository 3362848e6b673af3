import { describe, expect, it } from 'vitest'
import { type Reader, RecordError, reader } from '../../../src/flows/records/record-reader.js'

type Read = (of: Reader) => unknown
const error = (value: unknown, read: Read, path?: string): unknown => {
  try {
    return { read: read(reader(value, path)) }
  } catch (thrown) {
    return thrown
  }
}

describe('a value of a record', () => {
  it.each<[kind: string, Read, accepted: readonly unknown[], refused: readonly unknown[]]>([
    ['number', of => of.number(), [0, 0.5, 1e300], [-1, -0.5, Number.NaN, Infinity, '1', null, true]],
    ['integer', of => of.integer(2, 4), [2, 3, 4], [1, 5, 2.5, '3', null]],
    ['count', of => of.count(), [0, 1, Number.MAX_SAFE_INTEGER], [-1, 0.5, 2 ** 53, '0']],
    ['truth', of => of.truth(), [true, false], ['true', 0, null]],
    ['text', of => of.text(), ['', 'a'], [0, null, ['a']]],
    ['among', of => of.among(['a', 'b']), ['a', 'b'], ['', 'c', null, ['a']]],
    ['matching', of => of.matching(/^a+$/, 'many a'), ['a', 'aa'], ['', 'b', 7]],
    [
      'date',
      of => of.date(),
      ['2026-01-02T03:04:05Z', '2026-01-02T03:04:05.678Z', '2026-01-02T03:04Z'],
      [
        ...['', '2026-01-02', '2026-01-02T03:04:05', '2026-01-02T03:04:05+01:00', '2026-13-02T03:04:05Z'],
        ...['+002026-01-02T03:04:05Z', ' 2026-01-02T03:04:05Z', '2026-01-02T03:04:05Z ', 0, null],
      ],
    ],
  ])('that is a %s', (_kind, read, accepted, refused) => {
    for (const value of accepted) expect(error(value, read)).toEqual({ read: value })
    for (const value of refused) {
      expect(error(value, read), String(value)).toBeInstanceOf(RecordError)
      expect(error(value, read)).toHaveProperty('name', 'RecordError')
    }
  })

  it.each<[Read, message: string]>([
    [of => of.text(), 'the line is not a text'],
    [of => of.member('a'), 'a is missing'],
    [of => of.member('b').text(), 'b is not a text'],
    [of => of.member('c').list(2)[1]?.member('d').truth(), 'c[1].d is not true or false'],
    [of => of.member('c').list(1), 'c is not a list of at most 1'],
    [of => of.member('b').among(['x', 'y']), 'b is not one of x, y'],
    [of => of.member('b').member('x'), 'b is not an object'],
    [of => of.member('toString'), 'toString is missing'],
  ])('that is wrong is named with its path: %s', (read, message) => {
    expect(error({ b: 7, c: [{}, { d: 1 }] }, read)).toHaveProperty('message', message)
  })

  it('may be absent where it is optional', () => {
    const of = reader({ a: 1 })
    expect(of.optional('a')?.number()).toBe(1)
    expect(of.optional('b')).toBeUndefined()
    expect(of.optional('constructor')).toBeUndefined()
    expect(error([], each => each.optional('a'))).toBeInstanceOf(RecordError)
  })
})
