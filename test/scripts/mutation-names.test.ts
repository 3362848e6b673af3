import { describe, expect, it } from 'vitest'
import { exactNames } from '../rigs/tools/test-names.js'

/** The pattern of these names, as Stryker writes it. */
const pattern = (names: readonly string[]) =>
  new RegExp(names.map(name => name.replace(/[.*+\-?^${}()|[\]\\]/g, '\\$&')).join('|'))

describe('the names of the tests that reach a mutant', () => {
  it('are found among thousands', () => {
    const names = Array.from({ length: 5000 }, (_, i) => `a token for ${i} works`)
    const exact = exactNames(pattern(names))
    expect(names.every(name => name.match(exact))).toBe(true)
    expect('a token for 5000 works'.match(exact)).toBeNull()
  })

  it.each(['a|b', '(a)', 'a\\b', 'a\\nb', 'a\nb', 'a/b', '[^$]*.+?{1}-', 'ü 😀', '\\', '\\|'])(
    'may be %j, and match no part of another',
    name => {
      const exact = exactNames(pattern(['x', name, 'y']))
      expect(['x', name, ` ${name} `, 'y'].every(each => each.match(exact))).toBe(true)
      for (const other of [`${name}z`, `z${name}`, '']) expect(other.match(exact)).toBeNull()
    },
  )
})
