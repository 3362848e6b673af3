import { describe, expect, it } from 'vitest'
import {
  fixedKeyring,
  loadSharedSecret,
  loadSigningKey,
  signJwt,
} from '../../../../src/protocol/tokens/keys.js'
import type { AuthorizationServerSettings } from '../../../../src/servers/authorization-server/settings.js'
import { wantedTokenType } from '../../../../src/servers/authorization-server/tokens/access-tokens.js'
import { rsaPem } from '../../../support/rsa-keys.js'
import { basic, client, codeRequest, ISSUER, json, lab, landed, SECRET, signingKey } from '../support.js'

describe('an access token', () => {
  const API = 'urn:ietf:params:oauth:token-type:access_token'
  const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange'
  const back = client('back', { client_secret: 'x', grant_types: [EXCHANGE] })
  const demo = client('demo', { client_secret: SECRET })
  const alice = { username: 'alice', password: 'wonderland', claims: {} }

  it.each<[string, Partial<Pick<AuthorizationServerSettings, 'clients' | 'users'>>]>([
    ['its client is disabled', { clients: [back, { ...demo, enabled: false }] }],
    ['its client is removed', { clients: [back] }],
    ['its user is removed', { users: [] }],
  ])('is refused when %s', async (_name, change) => {
    const given = { clients: [back, demo], users: [alice] }
    const before = lab(given)
    const after = lab({ ...given, ...change })
    const subject_token = await before.accessToken({ scope: 'openid' })
    const attempts = async ({ get, token }: typeof before) => {
      const exchange = { grant_type: EXCHANGE, subject_token, subject_token_type: API }
      const answers = [
        await get('/userinfo', [['authorization', `Bearer ${subject_token}`]]),
        await token(exchange, [basic('back', 'x')]),
      ]
      return answers.map(answer => [answer.status, json(answer).error])
    }
    expect((await attempts(before)).map(([status]) => status)).toEqual([200, 200])
    expect(await attempts(after)).toEqual([
      [401, 'invalid_token'],
      [400, 'invalid_request'],
    ])
  })
})

describe('an id_token_hint', () => {
  const seconds = Math.floor(lab().clock.now / 1000)
  const claims = {
    iss: ISSUER,
    sub: 'alice',
    aud: 'demo',
    exp: seconds + 60,
    iat: seconds,
    auth_time: seconds,
  }
  const clients = [
    client('demo', { client_secret: SECRET }),
    client('short', { client_secret: 'x'.repeat(31) }),
    client('public'),
  ]
  /** The answer to a hint without a session: only one that counts leads to login_required. */
  async function errorFor(hint: string, more: Partial<AuthorizationServerSettings> = {}, id = 'demo') {
    const keyring = more.stage === 'shared-secret' ? fixedKeyring(shared) : undefined
    const { authorize } = lab({ clients, ...more }, keyring)
    const asked = codeRequest({ client_id: id, scope: 'openid', prompt: 'none', id_token_hint: hint })
    return landed(await authorize(asked)).error
  }
  const shared = loadSharedSecret('a secret of at least thirty-two bytes')
  const signed = (more: object = {}) => signJwt({ ...claims, ...more }, signingKey)

  it.each<[string, object]>([
    ['one client', {}],
    ['several clients', { aud: ['demo', 'other'] }],
    ['an expired login', { exp: seconds - 1 }],
  ])('of %s counts', async (_name, more) => {
    expect(await errorFor(await signed(more))).toBe('login_required')
  })

  it.each<[string, object]>([
    ['another issuer', { iss: 'https://x.example' }],
    ['no user', { sub: undefined }],
    ['a user that is a number', { sub: 7 }],
    ['no login', { auth_time: undefined }],
    ['a scope, which access tokens have', { scope: 'openid' }],
    ['an issue in the future', { iat: seconds + 3600 }],
  ])('with %s is refused', async (_name, more) => {
    expect(await errorFor(await signed(more))).toBe('invalid_request')
  })

  it('of another key is refused', async () => {
    const foreign = await loadSigningKey(rsaPem(2))
    expect(await errorFor(await signJwt(claims, foreign))).toBe('invalid_request')
  })

  it('at the stage shared-secret is verified with the secret of its client', async () => {
    const stage = { stage: 'shared-secret' } as const
    const own = await signJwt(claims, loadSharedSecret(SECRET))
    expect(await errorFor(own, stage)).toBe('login_required')
    expect(await errorFor(await signJwt(claims, shared), stage)).toBe('invalid_request')
    for (const aud of ['short', 'public', 'nobody', ['demo']]) {
      const hint = await signJwt({ ...claims, aud }, loadSharedSecret(SECRET))
      expect(await errorFor(hint, stage)).toBe('invalid_request')
    }
  })
})

it('a token of type mac is not bound to a key', () => {
  expect(() => wantedTokenType('mac', { offered: true, jkt: 'jkt' })).toThrow('send no DPoP proof')
})
