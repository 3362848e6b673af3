import { expect, it } from 'vitest'
import { defined, keepLatest } from '../../src/protocol/values.js'

it('leaves out undefined members, and keeps all others in their order', () => {
  const made = defined({ b: undefined, z: 0, empty: '', no: false, nothing: null, a: [undefined] })
  expect(made).toStrictEqual({ z: 0, empty: '', no: false, nothing: null, a: [undefined] })
  expect(Object.keys(made)).toEqual(['z', 'empty', 'no', 'nothing', 'a'])
})

it('makes a value again only from other arguments', () => {
  const make = keepLatest((...from: unknown[]) => ({ from }))
  const list: unknown[] = []
  for (const from of [[], [1], [1, list], [list], [[]], [undefined]]) {
    const made = make(...from)
    expect(made.from).toStrictEqual(from)
    expect(make(...from)).toBe(made)
  }
  const failing = keepLatest((fails: boolean) => {
    if (fails) throw new Error('not made')
    return 1
  })
  expect(() => failing(true)).toThrow()
  expect(() => failing(true)).toThrow()
  expect(failing(false)).toBe(1)
})
