import { describe, expect, it } from 'vitest'
import { secretsEqual } from '../../src/protocol/secrets.js'

describe('secretsEqual', () => {
  it.each([
    ['a', 'a', true],
    ['a', 'b', false],
    ['a', 'aa', false],
    ['', '', true],
    ['', 'a', false],
    ['é', 'e\u0301', false],
  ])('%j and %j', (a, b, equal) => expect(secretsEqual(a, b)).toBe(equal))
})
