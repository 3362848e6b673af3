import { expect, it } from 'vitest'
import { defined } from '../../src/protocol/values.js'

it('leaves out undefined members, and keeps all others in their order', () => {
  const made = defined({ b: undefined, z: 0, empty: '', no: false, nothing: null, a: [undefined] })
  expect(made).toStrictEqual({ z: 0, empty: '', no: false, nothing: null, a: [undefined] })
  expect(Object.keys(made)).toEqual(['z', 'empty', 'no', 'nothing', 'a'])
})
