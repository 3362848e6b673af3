import { describe, expect, it } from 'vitest'
import type { AdviceFacts } from '../../src/flows/advice/advice.js'
import type { Outcome, StepName } from '../../src/flows/step.js'
import { check } from '../../src/protocol/oauth/check.js'
import { madeStep } from './support/made-step.js'
import { answered, ending, hintsOf, refused, stepAt } from './support/refusals.js'

describe('the next move of a neighbouring refusal', () => {
  /** The hints after a step such as `login_form 400`, and a refusal such as `invalid_request: unknown scope`. */
  const movesAfter = (place: string, refusal: string, facts: Partial<AdviceFacts> = {}) => {
    const [name, status] = place.split(' ') as [StepName, string]
    const [code = '', description] = refusal.split(': ')
    return hintsOf([stepAt(name, Number(status)), refused(code, description)], facts)
  }

  it('before the first step is to check the secret all the same', async () => {
    const hints = [/^check the client and its secret/, /--auth client_secret_post/]
    const found = await hintsOf([refused('invalid_client')], {})
    expect(found).toEqual(hints.map(hint => expect.stringMatching(hint)))
  })

  it.each<[facts: Partial<AdviceFacts>, refusal: string, ...hints: RegExp[]]>([
    [
      { auth: 'none' },
      'invalid_client',
      /^if client web has a secret, give it: --client-secret-file FILE, or --client-secret-stdin$/,
    ],
    [
      { auth: 'none' },
      'unauthorized_client',
      /^if client web has a secret/,
      /^if it has none, it may not use this grant: .* --client-id$/,
    ],
    [
      { auth: 'client_secret_post' },
      'invalid_client',
      /^check the client/,
      /--auth client_secret_basic; the server announces/,
    ],
    [
      { metadata: { issuer: 'https://id.test' } },
      'invalid_client',
      /^check the client/,
      /--auth client_secret_post$/,
    ],
  ])('of a client with %j after %s is about its secret', async (facts, refusal, ...hints) => {
    const found = await movesAfter('token_request 401', refusal, facts)
    expect(found).toEqual(hints.map(hint => expect.stringMatching(hint)))
  })

  it('is to send a challenge where it is written as one word', async () => {
    const refusal = 'invalid_request: codechallenge is missing'
    const found = await movesAfter('login_form 400', refusal, { pkce: false })
    expect(found).toEqual(['send a code_challenge: leave --no-pkce out'])
  })

  it.each<[place: string, refusal: string, facts?: Partial<AdviceFacts>]>([
    ['login_form 401', 'invalid_client'],
    ['login_form 400', 'invalid_request: code_challenge is too short'],
    ['login_form 400', 'invalid_request: nonce is missing', { pkce: false }],
    ['login_form 400', 'invalid_request: the PAR has ended', { push: true }],
    ['exchange_request 400', 'invalid_target', { exchangeFor: 'api' }],
    ['token_request 400', 'invalid_target'],
    ['exchange_request 400', 'invalid_request_object'],
    ['exchange_request 400', 'x_invalid_request'],
    ['login_form 400', 'invalid_request: unknown scope', { scope: 'openid' }],
    ['login_form 400', 'invalid_request: nonce is missing'],
    ['login_form 400', 'server_error: the scope failed'],
    ['token_request 400', 'invalid_grant: redirect_uri differs'],
    ['login_form 200', 'error_page: the client is new'],
    ['login_form 400', 'error_page: clients are new'],
    ['token_request 400', 'invalid_grant: of another client'],
    ['authorization_response 302', 'access_denied', { scope: 'openid' }],
    ['poll_request 400', 'access_denied'],
    ['authorization_response 302', 'server_error'],
    ['keys_request 200', 'invalid_token'],
  ])('is left to the code of the error after %s, %s %j', async (place, refusal, facts) => {
    expect(await movesAfter(place, refusal, facts)).toEqual([])
  })

  it('about a token is nothing where it was checked long ago', async () => {
    const token = {
      kind: 'access_token',
      value: 'a',
      checks: [check('exp', false, 'RFC 7519 §4.1.4')],
    } as const
    expect(await hintsOf([stepAt('resource_request', 401, { token }), refused('invalid_token')], {})).toEqual(
      [],
    )
  })

  it.each(['nbf', 'iat'])('of a wrong %s is to compare the clocks', async name => {
    const token = { kind: 'id_token', value: 'a', checks: [check(name, false, 'RFC 7519 §4.1.5')] } as const
    const [first] = await hintsOf([stepAt('keys_request', 200, { token }), refused('invalid_token')])
    expect(first).toBe('compare the clock of the server with the one of this computer')
  })

  it.each([
    'the redirecturi is unknown',
    'wrong redirect url',
    'the callback URL is not listed',
    'no such callbackuri',
    'the reply address does not match',
    'reply url mismatch',
  ])('of a page that says "%s" is to register the address', async text => {
    const complaint = await ending([stepAt('login_form', 400), refused('error_page', text)])
    expect(complaint.error?.hints).toEqual([expect.stringMatching(/^register this address for client web/)])
    expect(complaint.error?.error_description).toBe(`${text}; the request named http://127.0.0.1:7000/cb`)
  })

  it('names the whole redirect_uri that a page repeats without its scheme, once', async () => {
    const text = 'redirect_uri 127.0.0.1:7000/cb is not registered'
    const complaint = await ending([stepAt('login_form', 400), refused('error_page', text)])
    expect(complaint.error?.error_description).toBe(text)
  })

  it('leaves a description at other steps, and one about other things, as it is', async () => {
    for (const [name, text] of [
      ['token_request', 'the redirect_uri differs'],
      ['login_form', 'the page is away'],
    ] as const) {
      const outcome = await ending([stepAt(name, 400), refused('invalid_grant', text)])
      expect(outcome.error?.error_description).toBe(text)
    }
  })

  it('is of the last step that was answered', async () => {
    const records = [stepAt('token_request', 401), madeStep('login_form'), refused('invalid_client')]
    expect(await hintsOf(records)).toHaveLength(2)
    const { response: _, ...unanswered } = answered(200)
    const lost = madeStep('token_request', { exchange: unanswered })
    expect(await hintsOf([lost, refused('unauthorized_client')])).toEqual([
      expect.stringMatching(/^allow client web this grant/),
    ])
  })

  it('is not given after a success or an interruption', async () => {
    const done: Outcome = { type: 'outcome', outcome: 'granted' }
    expect(await ending([stepAt('token_request', 200), done])).toEqual(done)
    const failed: Outcome = { ...refused('invalid_client'), outcome: 'failed' }
    expect(await ending([stepAt('token_request', 401), failed])).toEqual(failed)
  })
})
