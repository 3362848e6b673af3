import { describe, expect, it } from 'vitest'
import { OAuthError } from '../../../src/protocol/oauth/oauth-error.js'
import { refusalStatus } from '../../../src/servers/resource-server/answers.js'
import { refusalOf } from '../../../src/servers/resource-server/claim-checks.js'

describe('the error of failed checks', () => {
  const rule = 'RFC 7519 §4.1.4' as const

  it('is that of the first one', () => {
    const checks = [
      { name: 'aud', ok: true, rule },
      { name: 'exp', ok: false, rule, detail: 'late' },
      { name: 'iat', ok: false, rule },
    ]
    expect(refusalOf(checks)).toMatchObject({
      code: 'invalid_token',
      description: 'the token is no longer valid; exp: late',
      rule,
    })
    expect(refusalOf(checks.slice(0, 1))).toBeUndefined()
    expect(refusalOf([])).toBeUndefined()
  })

  it('has a text for a check without detail, and for an unknown check', () => {
    expect(refusalOf([{ name: 'signature', ok: false, rule }])?.description).toBe(
      'the signature is not accepted; signature: wrong',
    )
    expect(refusalOf([{ name: 'unit', ok: false, rule, detail: 'x' }])?.description).toBe('unit: x')
  })

  it('has a short text for a long value', () => {
    const detail = 'x'.repeat(10_000)
    expect(refusalOf([{ name: 'iss', ok: false, rule, detail }])?.description.length).toBeLessThan(300)
  })
})

it.each([
  ['invalid_request', 400],
  ['invalid_token', 401],
  ['invalid_dpop_proof', 401],
  ['insufficient_scope', 403],
  ['content_too_large', 413],
  ['server_error', 500],
  ['temporarily_unavailable', 503],
  ['invalid_grant', 400],
] as const)('the status of %s is %d', (code, status) => {
  expect(refusalStatus(new OAuthError(code, { description: '', rule: 'RFC 6749 §5.2' }))).toBe(status)
})
