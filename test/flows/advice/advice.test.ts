import { describe, expect, it } from 'vitest'
import type { Outcome } from '../../../src/flows/step.js'
import { check } from '../../../src/protocol/oauth/check.js'
import { outcomeText } from '../../../src/show/render/steps/plain.js'
import { ending, hintsOf, refused, stepAt } from '../support/refusals.js'

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

  it.each(
    Object.entries({
      'unauthorized_client, where the client is known': [
        [stepAt('token_request', 400), refused('unauthorized_client')],
        {},
        /allow client web this grant where it is registered/,
      ],
      'an unknown redirect_uri': [
        [stepAt('login_form', 400), refused('error_page', 'Invalid parameter: redirect_uri')],
        {},
        /register this address for client web .*--redirect-uri URI$/,
      ],
      'an unknown redirect_uri at the lab': [
        [stepAt('login_form', 400), refused('invalid_request', 'redirect_uri is refused')],
        { foreign: false },
        /register this address for client web in the lab file, or .*--redirect-uri URI$/,
      ],
      'an unknown client': [
        [stepAt('login_form', 400), refused('error_page', 'Client not found.')],
        {},
        /--client-id web$/,
      ],
      'a request that was not pushed': [
        [stepAt('login_form', 302), refused('invalid_request', 'Pushed Authorization Request must be used')],
        {},
        /--par$/,
      ],
      'a request without a challenge': [
        [stepAt('login_form', 302), refused('invalid_request', 'Missing parameter: code_challenge_method')],
        { pkce: false },
        /--no-pkce/,
      ],
      'an exchange without an audience': [
        [stepAt('exchange_request', 400), refused('invalid_request')],
        {},
        /--audience AUDIENCE$/,
      ],
      'a request without a scope': [
        [stepAt('login_form', 400), refused('invalid_request', 'missing scope parameter')],
        {},
        /--scope openid$/,
      ],
      'an unknown scope': [
        [stepAt('authorization_response', 200), refused('invalid_scope')],
        {},
        /openid, email$/,
      ],
      'a request for no scope that is denied': [
        [stepAt('authorization_response', 400), refused('access_denied')],
        {},
        /--scope openid$/,
      ],
      'no refresh token': [[stepAt('token_request', 200), refused('no_refresh_token')], {}, /offline_access/],
    } as const),
  )('after %s', async (_what, [records, more, hint]) => {
    expect(await hintsOf(records, more)).toEqual([expect.stringMatching(hint)])
  })

  it.each([
    ['nonce', 'missing', /suspect an answer of another login, injected or mixed up/],
    ['signature', 'no published key fits key 7 (alg RS256)', /suspect other keys: the server rotated them/],
    ['signature', 'alg none is not accepted', /suspect a forged token/],
    ['signature', 'not signed with key 7', /changed on its way, or signed by another server/],
    ['alg', 'RS256 is not allowed; allowed: PS256', /register the client for an allowed algorithm/],
    ['alg', 'HS256 is not announced', /suspect a forged token: .*does not announce/],
    ['iss', 'https://evil.test', /suspect a mix-up/],
    ['aud', 'other', /issued to another client/],
    ['azp', 'other', /issued to another client/],
    ['exp', 'ended', /compare the clock/],
    ['iat', 'in the future', /compare the clock/],
    ['at_hash', '', /another access token beside this id_token/],
    ['c_hash', '', /another code beside this id_token .*do not redeem it/],
    ['sub', 'bob', /about another user/],
    ['constructor', '', /report it to the people who run the server/],
  ])(
    'after a token whose %s is wrong (%s) is what to suspect, never to get another one',
    async (name, detail, hint) => {
      const good = [check('signature', true, 'RFC 7519 §7.2')]
      const kept = { kind: 'access_token', value: 'a', checks: good } as const
      const bad = check(name, false, 'RFC 7519 §7.2', detail)
      const idToken = { kind: 'id_token', value: 'a', checks: [bad] } as const
      const places = [
        stepAt('keys_request', 200, { token: kept, tokens: [idToken] }),
        stepAt('id_token_verification', 200, { token: idToken }),
      ]
      for (const foreign of [true, false]) {
        for (const step of places) {
          const hints = await hintsOf([step, refused('invalid_token')], { foreign })
          expect(hints[0]).toMatch(hint)
          expect(hints.join()).not.toMatch(/get a(nother|new)? token/)
        }
      }
    },
  )

  it('after a signed userinfo that is wrong is what to suspect', async () => {
    const text =
      'the signature of the signed userinfo is not accepted: no published key fits key 7 (alg RS256)'
    const records = [stepAt('userinfo_request', 200), refused('invalid_response', text)]
    expect((await hintsOf(records))[0]).toMatch(/suspect other keys/)
    expect(await hintsOf([stepAt('userinfo_request', 401), refused('invalid_token')])).toEqual([])
  })

  it('after a login without an id_token is to ask for one', async () => {
    const checks = [check('id_token', false, 'OpenID Connect Core §3.1.3.3')]
    const hints = await hintsOf([stepAt('keys_request', 200, { checks }), refused('invalid_token')])
    expect(hints).toEqual([expect.stringMatching(/no id_token can be verified/)])
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
