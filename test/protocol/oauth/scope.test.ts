import { describe, expect, it } from 'vitest'
import { formatScope, parseScope, sameScope } from '../../../src/protocol/oauth/scope.js'

describe('scope', () => {
  it.each([
    ['openid profile', ['openid', 'profile']],
    ['records:read', ['records:read']],
    ['a a b a', ['a', 'b']],
    ['  a  b ', ['a', 'b']],
    ['A a', ['A', 'a']],
    ["!#$%&'()*+,-./[]^_`{|}~", ["!#$%&'()*+,-./[]^_`{|}~"]],
    ['', []],
    [' ', []],
    ['a"b', undefined],
    ['a\\b', undefined],
    ['a\tb', undefined],
    ['a\nb', undefined],
    ['é', undefined],
    ['a \u00a0', undefined],
    ['\x7f', undefined],
  ])('reads %j (RFC 6749 §3.3)', (value, tokens) => expect(parseScope(value)).toEqual(tokens))

  it('is written with single spaces', () => expect(formatScope(['a', 'b'])).toBe('a b'))

  it.each([
    [['a', 'b'], ['b', 'a'], true],
    [[], [], true],
    [['a'], ['a', 'b'], false],
    [['a', 'b'], ['a'], false],
    [['a', 'a'], ['a', 'b'], false],
    [['A'], ['a'], false],
  ])('compares %j with %j as sets', (a, b, same) => expect(sameScope(a, b)).toBe(same))
})
