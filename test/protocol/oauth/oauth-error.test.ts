import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  AUTHORIZATION_ERRORS,
  type AuthorizationErrorCode,
  describable,
  errorParameters,
  isRefusal,
  OAuthError,
  type OAuthErrorCode,
  receivedCode,
  TOKEN_ERRORS,
} from '../../../src/protocol/oauth/oauth-error.js'
import { foreignRule } from '../../../src/protocol/rules/rule.js'
import { forAll } from '../../support/for-all.js'

type Allows<Code extends string, Union> = Code extends Union ? true : false

describe('the codes of OAuthError', () => {
  it('are closed unions: the compiler refuses a misspelt code and a code of another endpoint', () => {
    const allowed: [
      known: Allows<'invalid_grant', OAuthErrorCode>,
      misspelt: Allows<'invalid_grnat', OAuthErrorCode>,
      ofTheTokenEndpoint: Allows<'invalid_grant', AuthorizationErrorCode>,
    ] = [true, false, false]
    expect(allowed).toEqual([true, false, false])
  })

  it('narrow an error to those that an endpoint may answer', () => {
    const error = new OAuthError('invalid_grant', { description: 'no', rule: 'RFC 6749 §5.2' })
    expect([isRefusal(error, TOKEN_ERRORS), isRefusal(error, AUTHORIZATION_ERRORS)]).toEqual([true, false])
    expect(isRefusal(new Error('invalid_grant'), TOKEN_ERRORS)).toBe(false)
  })

  it('keep unknown codes of another server', () => {
    const error = new OAuthError(receivedCode('who_knows'), { description: 'no', rule: foreignRule('none') })
    expect(error.code).toBe('who_knows')
  })
})

it('errorParameters are in the order of RFC 6749 §4.1.2.1 and hold no evidence', () => {
  const error = new OAuthError('invalid_scope', {
    description: 'the scope "x" is unknown',
    rule: 'RFC 6749 §3.3',
    evidence: 'not for the other side',
  })
  expect(errorParameters(error)).toEqual([
    ['error', 'invalid_scope'],
    ['error_description', "the scope 'x' is unknown"],
    ['error_uri', 'https://www.rfc-editor.org/rfc/rfc6749#section-3.3'],
  ])
  const other = new OAuthError('invalid_scope', {
    description: 'no',
    rule: foreignRule('none'),
    uri: 'https://e.example/',
  })
  expect(errorParameters(other)).toContainEqual(['error_uri', 'https://e.example/'])
  expect(error.message).toBe('invalid_scope: the scope "x" is unknown')
})

it('describable leaves only characters that error_description may hold', () =>
  forAll(fc.string({ unit: 'binary' }), text => {
    expect(describable(text)).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/)
  }))
