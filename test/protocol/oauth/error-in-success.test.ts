import { describe, expect, it } from 'vitest'
import type { Exchange } from '../../../src/protocol/http/exchange.js'
import {
  deviceAuthorizationResponse,
  errorInSuccess,
  meaningOf,
} from '../../../src/protocol/oauth/answers.js'
import { tokenResponse } from '../../../src/protocol/oauth/token.js'
import { thrown } from '../../support/refusal.js'

const JSON_TYPE = 'application/json; charset=utf-8'
const FORM_TYPE = 'application/x-www-form-urlencoded; charset=utf-8'

function answer(body: string, type = JSON_TYPE, status = 200): Exchange {
  return {
    request: { method: 'POST', url: 'https://code.example/access_token', headers: [], body: '' },
    response: { status, headers: [['content-type', type]], body },
    wireBytes: { request: 0, response: body.length },
    bodyBytes: body.length,
    ms: 1,
    at: '2026-01-02T12:00:00.000Z',
  }
}

const refusal = (exchange: Exchange) => thrown(() => tokenResponse(exchange))

// The words of GitHub (Troubleshooting OAuth app access token request errors).
const github = {
  error: 'bad_verification_code',
  error_description: 'The code passed is incorrect or expired.',
  error_uri: 'https://docs.github.example/errors#bad-verification-code',
}

describe('an error with status 200', () => {
  it('of GitHub is named with its RFC name and the rule', () => {
    const error = refusal(answer(JSON.stringify(github)))
    expect(error).toMatchObject({
      code: 'bad_verification_code',
      rule: 'RFC 6749 §5.2',
      uri: github.error_uri,
    })
    expect(error.description).toBe(
      'The code passed is incorrect or expired; RFC 6749 calls it invalid_grant; answered with status 200, where an error has 400 and JSON',
    )
  })

  it('of GitHub as a form is read too, and the form is pointed out', () => {
    const form = new URLSearchParams(github).toString()
    const error = refusal(answer(form, FORM_TYPE))
    expect(error.code).toBe('bad_verification_code')
    expect(error.description).toContain('and as a form')
  })

  it.each([
    ['invalid_code', 'invalid_grant'],
    ['invalid_client_id', 'invalid_client'],
    ['bad_client_secret', 'invalid_client'],
    ['bad_redirect_uri', 'invalid_grant'],
  ])('of Slack, %s, is %s', (code, meaning) => {
    const error = refusal(answer(JSON.stringify({ ok: false, error: code })))
    expect(error.code).toBe(code)
    expect(error.description).toContain(`RFC 6749 calls it ${meaning}`)
    expect(meaningOf(code)).toBe(meaning)
  })

  it('is read at the device authorization endpoint', () => {
    const read = () => deviceAuthorizationResponse(answer('{"error":"device_flow_disabled"}'))
    expect(read).toThrow(expect.objectContaining({ code: 'device_flow_disabled' }))
  })

  it.each(['constructor', '__proto__', 'toString', 'invalid_grant', ''])('keeps the name %j', code => {
    expect(meaningOf(code)).toBe(code)
  })
})

it('tokens as a form are refused by the rule with the next move', () => {
  const error = refusal(answer('access_token=gho_1&scope=repo%2Cgist&token_type=bearer', FORM_TYPE))
  expect(error).toMatchObject({ code: 'invalid_response', rule: 'RFC 6749 §5.1' })
  expect(error.description).toContain('it holds access_token, scope, token_type')
  expect(error.description).not.toContain('gho_1')
  expect(error.hints).toContainEqual(expect.stringContaining('Accept: application/json'))
})

it.each([
  ['{"access_token":"a","token_type":"bearer"}', JSON_TYPE, 200],
  ['{"access_token":"a","token_type":"bearer","error":"none"}', JSON_TYPE, 200],
  ['{"error":"invalid_grant"}', JSON_TYPE, 400],
  ['{"error":7}', JSON_TYPE, 200],
  ['<html>', 'text/html', 200],
  ['%', FORM_TYPE, 200],
  ['[]', JSON_TYPE, 200],
])('every other answer: %s as %s with %i is left to the other checks', (body, type, status) => {
  expect(errorInSuccess(answer(body, type, status))).toBeUndefined()
})
