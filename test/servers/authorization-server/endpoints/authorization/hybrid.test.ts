import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../../src/protocol/http/message.js'
import { tokenHash } from '../../../../../src/protocol/tokens/verify.js'
import {
  basic,
  CALLBACK,
  claimsOf,
  client,
  codeRequest,
  ISSUER,
  json,
  lab,
  location,
  type Parameters,
  SECRET,
  settings,
} from '../../support.js'

type Response = Awaited<ReturnType<ReturnType<typeof lab>['login']>>

const types = ['code', 'code id_token', 'code token', 'code id_token token', 'none']
const made = () =>
  lab({
    clients: [
      ...settings.clients,
      client('hybrid', { client_secret: SECRET, response_types: types }),
      client('hybrid-app', { response_types: types, require_pkce: true }),
      client('id-claims', { client_secret: SECRET, response_types: types, id_token_claims: true }),
    ],
  })

const request = (response_type: string, more: Parameters = {}) =>
  codeRequest({
    client_id: 'hybrid',
    response_type,
    scope: 'openid email',
    nonce: 'n-1',
    state: 's+/=1',
    ...more,
  })

const pairs = (response: Response) => new URLSearchParams(location(response).hash.slice(1))
const fragment = (response: Response) => Object.fromEntries(pairs(response))

const redeemed = (code: string | undefined, more: Parameters = {}) => ({
  grant_type: 'authorization_code',
  code,
  redirect_uri: CALLBACK,
  ...more,
})

// OpenID Connect Core §3.3.2.5 and appendices A.3 to A.6: what each type brings through the browser.
describe('a hybrid response', () => {
  it.each([
    ['code id_token', ['code', 'scope', 'id_token', 'session_state', 'state', 'iss']],
    ['id_token code', ['code', 'scope', 'id_token', 'session_state', 'state', 'iss']],
    [
      'code token',
      ['code', 'access_token', 'token_type', 'expires_in', 'scope', 'session_state', 'state', 'iss'],
    ],
    [
      'code id_token token',
      [
        'code',
        'access_token',
        'token_type',
        'expires_in',
        'scope',
        'id_token',
        'session_state',
        'state',
        'iss',
      ],
    ],
    [
      'token code id_token',
      [
        'code',
        'access_token',
        'token_type',
        'expires_in',
        'scope',
        'id_token',
        'session_state',
        'state',
        'iss',
      ],
    ],
  ])('%s: is in the fragment', async (type, names) => {
    const response = await made().login(request(type))
    expect(response.status).toBe(302)
    expect(location(response).search).toBe('')
    expect([...pairs(response).keys()]).toEqual(names)
    expect(fragment(response)).toMatchObject({ state: 's+/=1', iss: ISSUER, scope: 'openid email' })
  })

  it.each([
    ['code id_token', false],
    ['code id_token token', true],
  ])('%s: its id_token has the hashes of what is beside it (§3.3.2.11)', async (type, withToken) => {
    const answer = fragment(await made().login(request(type)))
    const claims = claimsOf(answer.id_token)
    expect(claims).toMatchObject({ sub: 'alice', aud: 'hybrid', nonce: 'n-1', iss: ISSUER })
    expect(claims?.c_hash).toBe(tokenHash(String(answer.code), 'RS256'))
    expect(claims?.at_hash).toBe(withToken ? tokenHash(String(answer.access_token), 'RS256') : undefined)
    // The code gives an access token for /userinfo (§5.4).
    expect(claims).not.toHaveProperty('email')
  })

  it('has the claims of the scopes in the id_token of a client that is registered for them', async () => {
    const answer = fragment(await made().login(request('code id_token', { client_id: 'id-claims' })))
    expect(claimsOf(answer.id_token)).toMatchObject({ email: 'alice@example.com' })
  })

  it.each(types.slice(1, 4))('%s: its code gives tokens of the same login (§3.3.3)', async type => {
    const { login, post, get } = made()
    const { code, id_token: early } = fragment(await login(request(type, { scope: 'openid offline_access' })))
    const tokens = json(await post('/token', redeemed(code), [basic('hybrid', SECRET)]))
    const late = claimsOf(tokens.id_token)
    expect(tokens).toHaveProperty('refresh_token')
    expect(late).toMatchObject({
      nonce: 'n-1',
      sub: 'alice',
      at_hash: tokenHash(String(tokens.access_token), 'RS256'),
    })
    const { iss, sub, aud, auth_time } = (early === undefined ? late : claimsOf(early)) ?? {}
    expect(late).toMatchObject({ iss, sub, aud, auth_time })
    expect((await get('/userinfo', [['authorization', `Bearer ${tokens.access_token}`]])).status).toBe(200)
  })

  it('goes into a form with response_mode form_post', async () => {
    const response = await made().login(request('code id_token', { response_mode: 'form_post' }))
    expect(response.status).toBe(200)
    for (const name of ['code', 'id_token', 'state', 'iss']) {
      expect(text(response.body)).toContain(`name="${name}" value="`)
    }
  })

  it('reports the code and the tokens', async () => {
    const { login, types: seen } = made()
    await login(request('code id_token token'))
    expect(seen().slice(-3)).toEqual(['code.issued', 'token.issued', 'id_token.issued'])
  })
})

describe('an error of a hybrid request', () => {
  it.each<[string, string, Parameters, string]>([
    ['no nonce beside an id_token', 'code id_token', { nonce: undefined }, 'invalid_request'],
    [
      'no nonce beside an id_token and a token',
      'code id_token token',
      { nonce: undefined },
      'invalid_request',
    ],
    ['no openid beside an id_token', 'code id_token', { scope: 'records:read' }, 'invalid_request'],
    ['an answer in the query', 'code token', { response_mode: 'query' }, 'invalid_request'],
    ['no challenge of a public client', 'code token', { client_id: 'hybrid-app' }, 'invalid_request'],
    ['another client', 'code token', { client_id: 'demo' }, 'unauthorized_client'],
    ['no login allowed', 'code id_token', { prompt: 'none' }, 'login_required'],
  ])('%s: is in the fragment', async (_, type, more, error) => {
    const response = await made().authorize(request(type, more))
    expect(location(response).search).toBe('')
    expect(fragment(response)).toMatchObject({ error, state: 's+/=1', iss: ISSUER })
    expect(Object.keys(fragment(response))).not.toContain('code')
  })

  it('code token needs neither nonce nor openid', async () => {
    const response = await made().login(request('code token', { nonce: undefined, scope: 'records:read' }))
    expect(fragment(response)).toHaveProperty('code')
    expect(fragment(response)).not.toHaveProperty('id_token')
  })
})

// OAuth 2.0 Multiple Response Type Encoding Practices §4.
describe('response_type none', () => {
  it('answers with state alone, after a login', async () => {
    const { login, types: seen } = made()
    const response = await login(request('none'))
    expect(header(response, 'location')).toBe(
      `${CALLBACK}?state=s%2B%2F%3D1&iss=${encodeURIComponent(ISSUER)}`,
    )
    expect(seen()).not.toContain('code.issued')
    expect(seen()).not.toContain('token.issued')
  })

  it('refuses claims for userinfo, which no token could read', async () => {
    const claims = '{"userinfo":{"email":null}}'
    const response = await made().authorize(request('none', { claims }))
    expect(Object.fromEntries(location(response).searchParams)).toMatchObject({ error: 'invalid_request' })
  })
})
