import type { JWTPayload } from 'jose'
import { describe, expect, it } from 'vitest'
import { type Header, header, text } from '../../../../src/protocol/http/message.js'
import { loadSigningKey, signJwt } from '../../../../src/protocol/tokens/keys.js'
import { rsaPem } from '../../../support/rsa-keys.js'
import { claimsOf, FORM, ISSUER, json, lab, signingKey } from '../support.js'

const bearer = (token: unknown): Header => ['authorization', `Bearer ${token}`]

const now = Math.floor(lab().clock.now / 1000)
const user = { sub: 'alice', aud: 'demo', client_id: 'demo', scope: 'openid' }
const claims = { ...user, iss: ISSUER, iat: now, exp: now + 60, jti: 'x' }
const none = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

const foreignKey = await loadSigningKey(rsaPem(2))
const good = await lab().accessToken({ scope: 'openid' })
const signed = (more: JWTPayload, key = signingKey) => signJwt({ ...claims, ...more }, key)
const { exp: _exp, ...endless } = claims
const { jti: _jti, ...nameless } = claims
const bad: readonly [name: string, token: string, status: number, error: string][] = [
  ['no JWT', 'abc', 401, 'invalid_token'],
  ['two tokens', 'abc def', 400, 'invalid_request'],
  ['alg none', `${none({ alg: 'none' })}.${none(claims)}.`, 401, 'invalid_token'],
  ['a foreign key', await signed({}, foreignKey), 401, 'invalid_token'],
  ['a changed payload', good.replace(/\..*\./, `.${none(claims)}.`), 401, 'invalid_token'],
  ['a foreign issuer', await signed({ iss: 'https://x.example' }), 401, 'invalid_token'],
  ['an expired token', await signed({ exp: now }), 401, 'invalid_token'],
  ['no exp', await signJwt(endless, signingKey), 401, 'invalid_token'],
  ['an id_token', await signJwt(nameless, signingKey), 401, 'invalid_token'],
  ['no user', await signed({ sub: 'mallory' }), 401, 'invalid_token'],
  ['no openid', await signed({ scope: 'email' }), 403, 'insufficient_scope'],
]

describe('/userinfo', () => {
  it.each([
    ['openid', { sub: 'alice' }],
    ['openid profile', { sub: 'alice', name: 'Alice' }],
    ['openid email', { sub: 'alice', email: 'alice@example.com' }],
    ['email profile openid', { sub: 'alice', name: 'Alice', email: 'alice@example.com' }],
  ])('gives the claims of %s, by GET and POST', async (scope, claims) => {
    const { accessToken, get, post, events } = lab()
    const token = await accessToken({ scope })
    for (const response of [
      await get('/userinfo', [bearer(token)]),
      await post('/userinfo', {}, [bearer(token)]),
    ]) {
      expect(response.status).toBe(200)
      expect(json(response)).toEqual(claims)
      expect(header(response, 'cache-control')).toBe('no-store')
      expect(header(response, 'access-control-allow-origin')).toBe('*')
    }
    expect(events.at(-1)).toMatchObject({ type: 'userinfo.answered', username: 'alice', client_id: 'demo' })
  })

  it('refuses a token that is sent in two ways, and a body that is too long', async () => {
    const { accessToken, get, post } = lab()
    const token = await accessToken({ scope: 'openid' })
    for (const response of [
      await get(`/userinfo?access_token=${token}`, [bearer(token)]),
      await get(`/userinfo?access_token=${token}&x=%zz`, [bearer(token)]),
      await get(`/userinfo?access%5Ftoken=${token}`, [bearer(token)]),
      await post('/userinfo', { access_token: token }, [bearer(token)]),
    ]) {
      expect([response.status, json(response).error]).toEqual([400, 'invalid_request'])
    }
    expect((await get(`/userinfo?access_token=${token}`)).status).toBe(401)
    const repeated = await post('/userinfo', `access_token=${token}&access_token=${token}`)
    expect([repeated.status, json(repeated).error]).toEqual([400, 'invalid_request'])
    const long = await post('/userinfo', { x: 'x'.repeat(70_000) }, [bearer(token)])
    expect([long.status, json(long).error]).toEqual([413, 'invalid_request'])
  })

  it('takes the token from the form of a POST (OpenID Connect Core §5.3.1)', async () => {
    const { accessToken, post, send } = lab()
    const token = await accessToken({ scope: 'openid' })
    const response = await post('/userinfo', { access_token: token, more: 'x' })
    expect([response.status, json(response).sub]).toEqual([200, 'alice'])
    // Only a form is read, and only of a POST.
    const body = `access_token=${token}`
    expect((await send('POST', '/userinfo', [['content-type', 'text/plain']], body)).status).toBe(401)
    const got = await send('GET', '/userinfo', [FORM], body)
    expect([got.status, json(got).error]).toEqual([400, 'invalid_request'])
    const empty = await post('/userinfo', { access_token: '' })
    expect([empty.status, text(empty.body)]).toEqual([401, ''])
    const wrong = await post('/userinfo', { access_token: 'no token' })
    expect([wrong.status, json(wrong).error]).toEqual([401, 'invalid_token'])
  })

  it.each([
    ['oauth21', 'draft-ietf-oauth-v2-1 §5.1'],
    ['fapi2', 'FAPI 2.0 Security Profile §5.3.4-2'],
  ] as const)('refuses a token in the query under profile %s', async (profile, rule) => {
    const { get, events } = lab({ profile })
    const response = await get('/userinfo?access_token=x.y.z')
    expect([response.status, json(response).error]).toEqual([400, 'invalid_request'])
    expect(events.at(-1)).toMatchObject({ type: 'userinfo.refused', rule })
  })

  it('sends no error code when no token was sent', async () => {
    const { get } = lab()
    for (const headers of [[], [['authorization', 'Basic eDp5']] as Header[]]) {
      const response = await get('/userinfo', headers)
      expect(response.status).toBe(401)
      expect(header(response, 'www-authenticate')).toBe('Bearer realm="oauth-lab"')
      expect(text(response.body)).toBe('')
    }
  })

  it.each(bad)('refuses %s', async (_name, token, status, error) => {
    const { get, events } = lab()
    const response = await get('/userinfo', [bearer(token)])
    expect(response.status).toBe(status)
    const challenge = header(response, 'www-authenticate') ?? ''
    expect(challenge).toMatch(new RegExp(`^Bearer realm="oauth-lab", error="${error}"`))
    expect(challenge.includes('scope="openid"')).toBe(error === 'insufficient_scope')
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    expect(json(response).error).toBe(error)
    expect(events.at(-1)).toMatchObject({ type: 'userinfo.refused', error, status })
  })

  it('accepts the unchanged tokens of the table above', async () => {
    const { get } = lab()
    expect((await get('/userinfo', [bearer(await signJwt(claims, signingKey))])).status).toBe(200)
    expect(claimsOf(good).sub).toBe('alice')
  })
})
