import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../src/protocol/errors.js'
import { requestParameters } from '../../../src/session/options/parameters.js'

const read = (...texts: string[]) => requestParameters(texts, { hasAuthorizationRequest: true })

describe('requestParameters', () => {
  it('sorts parameters by the request they are for', () => {
    expect(
      read('prompt=consent', 'token:resource=https://api.example/?a=b', 'ui=', 'token:prompt=x'),
    ).toEqual({
      authorization: [
        ['prompt', 'consent'],
        ['ui', ''],
      ],
      token: [
        ['resource', 'https://api.example/?a=b'],
        ['prompt', 'x'],
      ],
    })
  })

  it.each([
    'prompt',
    '=x',
    'token:=x',
    'scope=x',
    'state=x',
    'nonce=x',
    'redirect_uri=x',
    'code_challenge=x',
    'request_uri=x',
    'response_mode=form_post',
    'token:code=x',
    'token:client_secret=x',
    'token:grant_type=x',
    'token:code_verifier=x',
    'token:scope=x',
  ])('refuses %s', text => expect(() => read(text)).toThrow(UsageError))

  it('names the option that says it', () => {
    expect(() => read('scope=x')).toThrow(expect.objectContaining({ hints: ['--scope'] }))
  })

  it('sends no parameter twice', () => {
    expect(() => read('a=1', 'a=2')).toThrow(/twice/)
    expect(read('a=1', 'token:a=2')).toEqual({ authorization: [['a', '1']], token: [['a', '2']] })
  })

  it('names the request of a flow without an authorization request', () => {
    const service = { hasAuthorizationRequest: false }
    expect(() => requestParameters(['audience=x'], service)).toThrow(
      expect.objectContaining({ hints: ['For its token request:  --param token:audience=x'] }),
    )
    expect(requestParameters(['token:audience=x'], service).token).toEqual([['audience', 'x']])
  })
})
