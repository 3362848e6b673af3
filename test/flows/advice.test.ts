import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../src/flows/step.js'
import { check } from '../../src/oauth/check.js'
import { outcomeText } from '../../src/render/plain.js'
import { ending, hintsOf, refused, stepAt } from './support/refusals.js'

describe('the next move after a refusal of another server', () => {
  it.each([
    ['invalid_client', 401],
    ['invalid_client', 400],
    // Keycloak
    ['unauthorized_client', 401],
  ])('is to check the secret after %s with status %i', async (code, status) => {
    for (const name of ['token_request', 'refresh_request', 'pushed_authorization_request'] as const) {
      const hints = await hintsOf([stepAt(name, status), refused(code)])
      expect(hints[0]).toMatch(/secret: --client-id web --client-secret-file FILE/)
      expect(hints[1]).toMatch(/--auth client_secret_post; .* client_secret_basic, client_secret_post$/)
      expect(hints.join()).not.toMatch(/lab file/)
    }
  })

  it.each([
    [{ auth: 'none' }, /^if client web has a secret, give it: --client-secret-file FILE/],
    [{ auth: 'none', signs: true }, /public key of client web/],
    [{ auth: 'client_secret_post' }, /check the client and its secret/],
  ] as const)('depends on how the client proves itself: %j', async (more, first) => {
    expect((await hintsOf([stepAt('token_request', 401), refused('invalid_client')], more))[0]).toMatch(first)
  })

  it.each([
    [
      'unauthorized_client, where the client is known',
      [stepAt('token_request', 400), refused('unauthorized_client')],
      {},
      /allow client web this grant where it is registered/,
    ],
    [
      'an unknown redirect_uri',
      [stepAt('login_form', 400), refused('error_page', 'Invalid parameter: redirect_uri')],
      {},
      /register this address for client web .*--redirect-uri URI$/,
    ],
    [
      'an unknown client',
      [stepAt('login_form', 400), refused('error_page', 'Client not found.')],
      {},
      /--client-id web$/,
    ],
    [
      'a request that was not pushed',
      [stepAt('login_form', 302), refused('invalid_request', 'Pushed Authorization Request must be used')],
      {},
      /--par$/,
    ],
    [
      'a request without a challenge',
      [stepAt('login_form', 302), refused('invalid_request', 'Missing parameter: code_challenge_method')],
      { pkce: false },
      /--no-pkce/,
    ],
    [
      'an exchange without an audience',
      [stepAt('exchange_request', 400), refused('invalid_request')],
      {},
      /--audience AUDIENCE$/,
    ],
    [
      'a request without a scope',
      [stepAt('login_form', 400), refused('invalid_request', 'missing scope parameter')],
      {},
      /--scope openid$/,
    ],
    [
      'an unknown scope',
      [stepAt('authorization_response', 200), refused('invalid_scope')],
      {},
      /openid, email$/,
    ],
    [
      'a request for no scope that is denied',
      [stepAt('authorization_response', 400), refused('access_denied')],
      {},
      /--scope openid$/,
    ],
    ['no refresh token', [stepAt('token_request', 200), refused('no_refresh_token')], {}, /offline_access/],
  ] as const)('after %s', async (_what, records, more, hint) => {
    expect(await hintsOf(records, more)).toEqual([expect.stringMatching(hint)])
  })

  it.each([
    ['nonce', /report it to the people who run the server/],
    ['exp', /compare the clock/],
  ])('after a token whose %s is wrong is not to get another one', async (name, hint) => {
    const kept = {
      kind: 'access_token',
      value: 'a',
      checks: [check('signature', true, 'RFC 7519 §7.2')],
    } as const
    const idToken = { kind: 'id_token', value: 'a', checks: [check(name, false, 'RFC 7519 §7.2')] } as const
    const step = stepAt('keys_request', 200, { token: kept, tokens: [idToken] })
    expect(await hintsOf([step, refused('invalid_token')])).toEqual([expect.stringMatching(hint)])
  })

  it('is left to the code of the error where nothing more is known', async () => {
    expect(await hintsOf([stepAt('token_request', 400), refused('invalid_grant')])).toEqual([])
    const unit = { kind: 'id_token', value: 'a', checks: [check('unit', false, 'RFC 7519 §7.2')] } as const
    const step = stepAt('keys_request', 200, { token: unit })
    expect(await hintsOf([step, refused('invalid_token')])).toEqual([])
  })

  it('is printed line by line, in place of the one of the code', async () => {
    const outcome = await ending([stepAt('token_request', 401), refused('invalid_client')])
    const [, first, second, ...more] = outcomeText(outcome, {
      clientId: 'web',
      showSecrets: false,
      ascii: false,
    })
    expect(first).toMatch(/^next {5}check the client and its secret/)
    expect(second).toMatch(/^ {9}if both are right/)
    expect(more).toEqual([])
  })
})

describe('a refusal', () => {
  it('names the redirect_uri that a page complains about, once', async () => {
    const complain = (text: string) => [stepAt('login_form', 400), refused('error_page', text)]
    expect((await ending(complain('Invalid parameter: redirect_uri'))).error?.error_description).toBe(
      'Invalid parameter: redirect_uri; the request named http://127.0.0.1:7000/cb',
    )
    const whole = 'redirect_uri http://127.0.0.1:7000/cb is not registered'
    expect((await ending(complain(whole))).error?.error_description).toBe(whole)
  })

  it('of a lab keeps the next move of its code, which is in the lab file', async () => {
    const records = [stepAt('token_request', 400), refused('unauthorized_client')]
    expect((await ending(records, { foreign: false })).error).not.toHaveProperty('hints')
  })

  it('of a wrong move is what was wanted, and has no advice', async () => {
    const tampered: Outcome = { ...refused('invalid_client'), tamper: { move: 'x', wanted: 'y' } }
    expect(await ending([stepAt('token_request', 401), tampered])).toEqual(tampered)
  })
})
