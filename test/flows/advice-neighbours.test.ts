import { describe, expect, it } from 'vitest'
import type { AdviceFacts } from '../../src/flows/advice/advice.js'
import type { FlowRecord, Outcome } from '../../src/flows/step.js'
import { check } from '../../src/protocol/oauth/check.js'
import { madeStep } from './support/made-step.js'
import { answered, ending, hintsOf, refused, stepAt } from './support/refusals.js'

describe('the next move of a neighbouring refusal', () => {
  const at = stepAt
  const none: readonly string[] = []
  it.each<[string, FlowRecord[], Partial<AdviceFacts>, readonly (string | RegExp)[]]>([
    [
      'before the first step is to check the secret all the same',
      [refused('invalid_client')],
      {},
      [/^check the client and its secret/, /--auth client_secret_post/],
    ],
    ['at the login is not about a secret', [at('login_form', 401), refused('invalid_client')], {}, none],
    [
      'of a client without a secret names the secret alone after invalid_client',
      [at('token_request', 401), refused('invalid_client')],
      { auth: 'none' },
      [/^if client web has a secret, give it: --client-secret-file FILE, or --client-secret-stdin$/],
    ],
    [
      'of a client without a secret names another client too after unauthorized_client',
      [at('token_request', 401), refused('unauthorized_client')],
      { auth: 'none' },
      [/^if client web has a secret/, /^if it has none, it may not use this grant: .* --client-id$/],
    ],
    [
      'after a secret in the body is to send it in the header',
      [at('token_request', 401), refused('invalid_client')],
      { auth: 'client_secret_post' },
      [/^check the client/, /--auth client_secret_basic; the server announces/],
    ],
    [
      'of a server that announces no methods lists none',
      [at('token_request', 401), refused('invalid_client')],
      { metadata: { issuer: 'https://id.test' } },
      [/^check the client/, /--auth client_secret_post$/],
    ],
    [
      'about a challenge is not to send one that was sent',
      [at('login_form', 400), refused('invalid_request', 'code_challenge is too short')],
      {},
      none,
    ],
    [
      'is to send a challenge where it is written as one word',
      [at('login_form', 400), refused('invalid_request', 'codechallenge is missing')],
      { pkce: false },
      ['send a code_challenge: leave --no-pkce out'],
    ],
    [
      'without PKCE is about PKCE only where the words are',
      [at('login_form', 400), refused('invalid_request', 'nonce is missing')],
      { pkce: false },
      none,
    ],
    [
      'about a pushed request is not to push one that was pushed',
      [at('login_form', 400), refused('invalid_request', 'the PAR has ended')],
      { push: true },
      none,
    ],
    [
      'of an exchange with an audience does not ask for one',
      [at('exchange_request', 400), refused('invalid_target')],
      { exchangeFor: 'api' },
      none,
    ],
    ['of another grant is not an audience', [at('token_request', 400), refused('invalid_target')], {}, none],
    [
      'of an exchange whose error has more words is no audience',
      [at('exchange_request', 400), refused('invalid_request_object')],
      {},
      none,
    ],
    [
      'of an exchange whose error ends alike is no audience',
      [at('exchange_request', 400), refused('x_invalid_request')],
      {},
      none,
    ],
    [
      'about a scope does not ask for one that was named',
      [at('login_form', 400), refused('invalid_request', 'unknown scope')],
      { scope: 'openid' },
      none,
    ],
    [
      'without a scope is about scopes only where the words are',
      [at('login_form', 400), refused('invalid_request', 'nonce is missing')],
      {},
      none,
    ],
    [
      'about a scope is that of invalid_request alone',
      [at('login_form', 400), refused('server_error', 'the scope failed')],
      {},
      none,
    ],
    [
      'at the token endpoint is not to register an address',
      [at('token_request', 400), refused('invalid_grant', 'redirect_uri differs')],
      {},
      none,
    ],
    [
      'about the client on a page that is well is nothing',
      [at('login_form', 200), refused('error_page', 'the client is new')],
      {},
      none,
    ],
    [
      'about the client is nothing where no client is named',
      [at('login_form', 400), refused('error_page', 'clients are new')],
      {},
      none,
    ],
    [
      'about the client at another step is nothing',
      [at('token_request', 400), refused('invalid_grant', 'of another client')],
      {},
      none,
    ],
    [
      'of a user who refused is not a scope where one was asked for',
      [at('authorization_response', 302), refused('access_denied')],
      { scope: 'openid' },
      none,
    ],
    [
      'of a user who refused is a scope at the authorization response alone',
      [at('poll_request', 400), refused('access_denied')],
      {},
      none,
    ],
    [
      'of an authorization response is a scope after access_denied alone',
      [at('authorization_response', 302), refused('server_error')],
      {},
      none,
    ],
    [
      'about a token is nothing where it was checked long ago',
      [
        at('resource_request', 401, {
          token: { kind: 'access_token', value: 'a', checks: [check('exp', false, 'RFC 7519 §4.1.4')] },
        }),
        refused('invalid_token'),
      ],
      {},
      none,
    ],
    [
      'about tokens is nothing where none failed',
      [at('keys_request', 200, { tokens: [] }), refused('invalid_token')],
      {},
      none,
    ],
  ])('%s', async (_what, records, more, hints) => {
    expect(await hintsOf(records, more)).toEqual(
      hints.map(hint => (typeof hint === 'string' ? hint : expect.stringMatching(hint))),
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
