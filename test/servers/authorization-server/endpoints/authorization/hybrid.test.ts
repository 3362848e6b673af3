import { describe, expect, it } from 'vitest'
import { header } from '../../../../../src/protocol/http/message.js'
import {
  CALLBACK,
  claimsOf,
  client,
  codeRequest,
  ISSUER,
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

// OpenID Connect Core §3.3.2.5 and appendices A.3 to A.6: what each type brings through the browser.
describe('a hybrid response', () => {
  const token = ['access_token', 'token_type', 'expires_in']
  it.each([
    ['code id_token', ['code', 'scope', 'id_token', 'session_state', 'state', 'iss']],
    ['code token', ['code', ...token, 'scope', 'session_state', 'state', 'iss']],
    ['token code id_token', ['code', ...token, 'scope', 'id_token', 'session_state', 'state', 'iss']],
  ])('%s: is in the fragment', async (type, names) => {
    const response = await made().login(request(type))
    expect(response.status).toBe(302)
    expect(location(response).search).toBe('')
    expect([...pairs(response).keys()]).toEqual(names)
    expect(fragment(response)).toMatchObject({ state: 's+/=1', iss: ISSUER, scope: 'openid email' })
  })

  it('has the claims of the scopes in the id_token of a client that is registered for them alone', async () => {
    const email = async (client_id: string) =>
      claimsOf(fragment(await made().login(request('code id_token', { client_id }))).id_token).email
    // The code gives an access token for /userinfo (§5.4).
    expect(await email('hybrid')).toBeUndefined()
    expect(await email('id-claims')).toBe('alice@example.com')
  })

  it('reports the code and the tokens', async () => {
    const { login, types: seen } = made()
    await login(request('code id_token token'))
    expect(seen().slice(-3)).toEqual(['code.issued', 'token.issued', 'id_token.issued'])
  })
})

describe('an error of a hybrid request', () => {
  it.each<[string, string, Parameters, string]>([
    ['no openid beside an id_token', 'code id_token', { scope: 'records:read' }, 'invalid_request'],
    ['an answer in the query', 'code token', { response_mode: 'query' }, 'invalid_request'],
    ['no challenge of a public client', 'code token', { client_id: 'hybrid-app' }, 'invalid_request'],
    ['another client', 'code token', { client_id: 'demo' }, 'unauthorized_client'],
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
