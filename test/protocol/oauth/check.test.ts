import { describe, expect, it } from 'vitest'
import { advice, check, isBreach, shown } from '../../../src/protocol/oauth/check.js'
import { isConfidential } from '../../../src/protocol/oauth/client.js'
import { isJsonObject } from '../../../src/protocol/values.js'

describe('a check', () => {
  it('has a detail only where there is one', () => {
    expect(check('iss', true, 'RFC 9207 §2.4')).toStrictEqual({
      name: 'iss',
      ok: true,
      rule: 'RFC 9207 §2.4',
    })
    expect(check('iss', false, 'RFC 9207 §2.4', '')).toStrictEqual({
      name: 'iss',
      ok: false,
      rule: 'RFC 9207 §2.4',
      detail: '',
    })
  })

  it.each([
    [check('a', false, 'RFC 6749 §5.1'), true],
    [check('a', true, 'RFC 6749 §5.1'), false],
    [advice('a', false, 'RFC 6749 §5.1', 'd'), false],
    [advice('a', true, 'RFC 6749 §5.1', 'd'), false],
  ])('%j is a breach: %j', (made, breach) => expect(isBreach(made)).toBe(breach))

  it('is advice only when it failed', () => {
    expect(advice('a', true, 'RFC 6749 §5.1', 'd')).toStrictEqual({
      name: 'a',
      ok: true,
      rule: 'RFC 6749 §5.1',
      detail: 'd',
    })
    expect(advice('a', false, 'RFC 6749 §5.1', 'd')).toStrictEqual({
      name: 'a',
      ok: false,
      rule: 'RFC 6749 §5.1',
      detail: 'd',
      advice: true,
    })
  })
})

it.each([
  [undefined, 'missing'],
  [null, 'null'],
  [0, '0'],
  [false, 'false'],
  ['', ''],
  ['text', 'text'],
  [['a'], 'an array'],
  [{ toString: () => 'not this' }, 'an object'],
])('a member %j is shown as %j', (value, text) => expect(shown(value)).toBe(text))

it.each([
  [{}, true],
  [{ a: 1 }, true],
  [null, false],
  [[], false],
  ['{}', false],
  [7, false],
  [undefined, false],
])('%j is a JSON object: %j (RFC 8259 §4)', (value, is) => expect(isJsonObject(value)).toBe(is))

it.each([
  [{}, false],
  [{ client_secret: 's' }, true],
  [{ client_secret: '' }, true],
  [{ jwks: { keys: [] } }, true],
])('a client with %j is confidential: %j (RFC 6749 §2.1)', (credentials, confidential) => {
  const client = {
    client_id: 'demo',
    redirect_uris: [],
    enabled: true,
    grant_types: [],
    response_types: [],
    require_pkce: false,
    code_challenge_methods: [],
    token_profile: 'jwt',
    ...credentials,
  } as const
  expect(isConfidential(client)).toBe(confidential)
})
