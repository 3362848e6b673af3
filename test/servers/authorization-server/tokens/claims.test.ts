import { describe, expect, it } from 'vitest'
import type { Client } from '../../../../src/protocol/oauth/client.js'
import {
  fixedKeyring,
  loadSharedSecret,
  loadSigningKey,
  signJwt,
} from '../../../../src/protocol/tokens/keys.js'
import { createSubjects } from '../../../../src/servers/authorization-server/pairwise/subjects.js'
import type { AuthorizationServerSettings } from '../../../../src/servers/authorization-server/settings.js'
import type { Registry } from '../../../../src/servers/authorization-server/stores/registry.js'
import {
  readClaims,
  readIdTokenHint,
  wantedTokenType,
} from '../../../../src/servers/authorization-server/tokens/access-tokens.js'
import { rsaPem } from '../../../support/rsa-keys.js'
import { basic, client, ISSUER, json, lab, SECRET, signingKey } from '../support.js'

describe('the claims of an access token', () => {
  const claims = {
    jti: 'j',
    client_id: 'demo',
    scope: 'a b',
    sub: 'alice',
    aud: ['x', 'y'],
    iat: 1,
    exp: 2,
    nbf: 0,
    cnf: { jkt: 'k' },
    act: { sub: 'back' },
  }

  it('are read with their names of the RFCs', () => {
    expect(readClaims(claims)).toStrictEqual({
      jti: 'j',
      clientId: 'demo',
      subject: 'alice',
      scope: ['a', 'b'],
      audience: ['x', 'y'],
      ...{
        issuedAt: 1,
        expiresAt: 2,
        notBefore: 0,
        jkt: 'k',
        certificate: undefined,
        userinfoClaims: [],
        details: [],
        login: undefined,
        act: { sub: 'back' },
      },
    })
    expect(readClaims({ ...claims, userinfo_claims: ['email'] })).toMatchObject({ userinfoClaims: ['email'] })
    expect(readClaims({ ...claims, cnf: undefined, act: undefined })).toMatchObject({ jkt: undefined })
    expect(readClaims({ ...claims, cnf: {} })).toMatchObject({ jkt: undefined })
  })

  it.each(['jti', 'client_id', 'scope', 'sub'])(
    'are not those of an access token without %s as text',
    name => {
      for (const value of [undefined, 1, null, ['x']]) {
        expect(readClaims({ ...claims, [name]: value })).toBeUndefined()
      }
    },
  )
})

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
  const now = Date.UTC(2030, 0, 1)
  const seconds = now / 1000
  const clients: readonly Client[] = [
    client('demo', { client_secret: SECRET }),
    client('short', { client_secret: 'x'.repeat(31) }),
    client('public'),
  ]
  const claims = {
    iss: ISSUER,
    sub: 'alice',
    aud: 'demo',
    exp: seconds + 60,
    iat: seconds,
    auth_time: seconds,
  }
  const shared = loadSharedSecret('a secret of at least thirty-two bytes')
  const registry: Registry = {
    client: id => clients.find(each => each.client_id === id),
    clients: () => clients,
    problem: () => undefined,
    user: () => undefined,
  }
  const read = (hint: string, key: typeof signingKey | typeof shared = signingKey) =>
    readIdTokenHint(hint, {
      issuer: ISSUER,
      keyring: fixedKeyring(key),
      registry,
      subjects: createSubjects({ registry, users: [], salt: async () => new Uint8Array(32) }),
      now: () => now,
    })
  const signed = (more: object = {}) => signJwt({ ...claims, ...more }, signingKey)

  it.each<[string, object, readonly unknown[]]>([
    ['one client', {}, ['demo']],
    ['several clients', { aud: ['demo', 'other'] }, ['demo', 'other']],
    ['an expired login', { exp: seconds - 1 }, ['demo']],
  ])('of %s names the user and the clients', async (_name, more, audience) => {
    expect(await read(await signed(more))).toEqual({ subject: 'alice', audience })
  })

  it.each<[string, object]>([
    ['another issuer', { iss: 'https://x.example' }],
    ['no user', { sub: undefined }],
    ['a user that is a number', { sub: 7 }],
    ['no login', { auth_time: undefined }],
    ['a scope, which access tokens have', { scope: 'openid' }],
    ['an issue in the future', { iat: seconds + 3600 }],
  ])('with %s is none', async (_name, more) => {
    expect(await read(await signed(more))).toBeUndefined()
  })

  it('of another key, or of another form, is none', async () => {
    const foreign = await loadSigningKey(rsaPem(2))
    expect(await read(await signJwt(claims, foreign))).toBeUndefined()
    for (const text of ['', 'x', 'a.b.c', 'a.b.c.d.e']) expect(await read(text)).toBeUndefined()
  })

  it('at the stage shared-secret is verified with the secret of its client', async () => {
    const own = await signJwt(claims, loadSharedSecret(SECRET))
    expect(await read(own, shared)).toMatchObject({ subject: 'alice' })
    expect(await read(await signJwt(claims, shared), shared)).toBeUndefined()
    for (const aud of ['short', 'public', 'nobody', ['demo']]) {
      expect(await read(await signJwt({ ...claims, aud }, loadSharedSecret(SECRET)), shared)).toBeUndefined()
    }
  })
})

describe('token_type of a token request', () => {
  it.each([
    [undefined, true, undefined],
    ['Bearer', true, undefined],
    ['bearer', false, undefined],
    ['MAC', true, 'mac'],
    ['mac', true, 'mac'],
  ])('%j, with mac offered: %j, asks for %j', (asked, offered, wanted) => {
    expect(wantedTokenType(asked, { offered, jkt: undefined })).toBe(wanted)
  })

  it.each([
    ['mac', false, undefined, 'must be Bearer, or left out'],
    ['DPoP', true, undefined, 'must be Bearer or mac, or left out'],
    ['mac', true, 'jkt', 'send no DPoP proof'],
  ])('%j, with mac offered: %j, and the key %j is refused', (asked, offered, jkt, why) => {
    expect(() => wantedTokenType(asked, { offered, jkt })).toThrow(why)
  })
})
