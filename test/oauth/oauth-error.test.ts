import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describable, errorParameters, OAuthError } from '../../src/oauth/oauth-error.js'

describe('errorParameters', () => {
  it('are in the order of RFC 6749 §4.1.2.1 and hold no evidence', () => {
    const error = new OAuthError('invalid_scope', {
      description: 'the scope "x" is unknown',
      rule: 'RFC 6749 §3.3',
      evidence: 'not for the other side',
    })
    expect(errorParameters(error)).toEqual([
      ['error', 'invalid_scope'],
      ['error_description', "the scope 'x' is unknown"],
      ['error_uri', undefined],
    ])
    expect(error.message).toBe('invalid_scope: the scope "x" is unknown')
  })
})

describe('describable', () => {
  it('leaves only characters that error_description may hold', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(describable(text)).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
      }),
    )
  })
})
