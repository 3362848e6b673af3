import { describe, expect, it } from 'vitest'
import { text } from '../../../../src/protocol/http/message.js'
import { readClaimsRequest } from '../../../../src/servers/authorization-server/parameters/claims-request.js'
import { knownClaims } from '../../../../src/servers/authorization-server/tokens/user-claims.js'
import { browser } from '../browser.js'
import {
  basic,
  claimsOf,
  client,
  codeRequest,
  json,
  lab,
  landed,
  type Parameters,
  SECRET,
} from '../support.js'

/** A user whose claims have a `sub` of their own, which is never given out. */
const impostor = { username: 'eve', password: 'x', claims: { sub: 'alice', name: 'Eve' } }

const users = [
  {
    username: 'alice',
    password: 'wonderland',
    claims: {
      name: 'Alice',
      email: 'alice@example.com',
      groups: ['a', 'b'],
      address: { locality: 'Oxford' },
    },
  },
  { username: 'bob', password: 'builder', claims: { nickname: 'Bob' } },
]
const clients = [
  client('demo', { client_secret: SECRET, response_types: ['code', 'id_token', 'id_token token'] }),
  client('narrow', { client_secret: SECRET, allowed_scopes: ['openid', 'profile'] }),
]
const world = () => lab({ users, clients })

it('the claims that a request may name leave out sub, and those that nobody has', () => {
  const asked = readClaimsRequest(
    JSON.stringify({
      userinfo: { sub: null, name: null, toString: null },
      id_token: { name: null, x: null },
    }),
  )
  expect(knownClaims(asked, client('demo'), { users: [impostor], scopeClaims: {} })).toEqual(['name'])
})

const request = (claims: unknown, more: Parameters = {}) =>
  codeRequest({
    scope: 'openid',
    claims: typeof claims === 'string' ? claims : JSON.stringify(claims),
    ...more,
  })

async function granted(claims: unknown, more: Parameters = {}) {
  const { login, redeem, token, get, events } = world()
  const { client_id: id = 'demo' } = more
  const code = landed(await login(request(claims, more))).code ?? ''
  const tokens = json(await redeem(code, {}, [basic(id, SECRET)]))
  const about = async ({ access_token: bearer, id_token: idToken }: Record<string, unknown>) => ({
    userinfo: json(await get('/userinfo', [['authorization', `Bearer ${bearer}`]])),
    idToken: claimsOf(idToken),
  })
  const refreshed = await token(
    { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) },
    [basic(id, SECRET)],
  )
  return {
    ...(await about(tokens)),
    refreshed: await about(json(refreshed)),
    accessToken: claimsOf(tokens.access_token),
    events,
  }
}

describe('claims that are asked for by name', () => {
  it('are returned where they were asked for, and again after a refresh', async () => {
    const { userinfo, idToken, refreshed, accessToken, events } = await granted({
      userinfo: { email: { essential: true }, address: null },
      id_token: { groups: null, auth_time: { essential: true } },
    })
    expect(userinfo).toEqual({ sub: 'alice', email: 'alice@example.com', address: { locality: 'Oxford' } })
    expect(idToken).toMatchObject({ groups: ['a', 'b'], auth_time: expect.any(Number) })
    expect(idToken).not.toHaveProperty('email')
    expect(refreshed).toMatchObject({ userinfo, idToken: { groups: ['a', 'b'] } })
    expect(accessToken.userinfo_claims).toEqual(['email', 'address'])
    const asked = events.find(each => each.type === 'authorization.requested')
    expect(asked).toMatchObject({ claims: ['email', 'address', 'groups'] })
    expect(asked).not.toHaveProperty('ignored')
  })

  it.each([
    ['unknown ones are ignored', { unknown: { essential: true }, constructor: null }, {}],
    ['those of other users are left out', { nickname: { essential: true } }, {}],
    ['sub stays', { sub: { value: 'alice' } }, {}],
    ['one with its value', { name: { value: 'Alice' } }, { name: 'Alice' }],
    ['one of several values', { name: { values: ['x', 'Alice'] } }, { name: 'Alice' }],
    ['not with another value', { name: { value: 'Bob', essential: true } }, {}],
    ['a value that is a list', { groups: { value: ['a', 'b'] } }, { groups: ['a', 'b'] }],
  ])('%s', async (_, userinfo, claims) => {
    const { userinfo: given, accessToken } = await granted({ userinfo })
    expect(given).toEqual({ sub: 'alice', ...claims })
    if (Object.keys(claims).length === 0) expect(accessToken).not.toHaveProperty('userinfo_claims')
  })

  it('add to those of the scopes', async () => {
    const { userinfo } = await granted({ userinfo: { email: null } }, { scope: 'openid profile' })
    expect(userinfo).toEqual({ sub: 'alice', name: 'Alice', email: 'alice@example.com' })
  })

  it('are those of its scopes for a client that is limited to scopes', async () => {
    const asked = { userinfo: { name: null, email: null, groups: null } }
    expect((await granted(asked, { client_id: 'narrow' })).userinfo).toEqual({ sub: 'alice', name: 'Alice' })
  })

  it.each(['id_token', 'id_token token'])('come with %s too', async response_type => {
    const { login, get } = world()
    const asked = request({ id_token: { email: null } }, { response_type, nonce: 'n' })
    const landing = String((await login(asked)).headers.find(([name]) => name === 'location')?.[1])
    const answer = Object.fromEntries(new URLSearchParams(new URL(landing).hash.slice(1)))
    expect(claimsOf(answer.id_token)).toMatchObject({ email: 'alice@example.com', nonce: 'n' })
    if (answer.access_token === undefined) return
    const userinfo = await get('/userinfo', [['authorization', `Bearer ${answer.access_token}`]])
    expect(json(userinfo)).toEqual({ sub: 'alice' })
  })
})

describe('a request with claims', () => {
  it('without the scope openid reports them as ignored', async () => {
    const { authorize, events } = world()
    await authorize(request('{', { scope: 'records:read' }))
    expect(events.find(each => each.type === 'authorization.requested')).toMatchObject({
      ignored: ['claims'],
    })
  })

  it.each([
    ['invalid_request', '{', {}],
    ['invalid_request', { userinfo: { email: null } }, { response_type: 'id_token', nonce: 'n' }],
    ['unmet_authentication_requirements', { id_token: { acr: { essential: true, values: ['2'] } } }, {}],
  ])('is answered %s to the client for %j', async (error, claims, more) => {
    const { location } = Object.fromEntries(
      (await world().authorize(request(claims, { state: 's', ...more }))).headers,
    )
    const { hash, search } = new URL(String(location))
    const answer = new URLSearchParams(hash === '' ? search : hash.slice(1))
    expect([answer.get('error'), answer.get('state')]).toEqual([error, 's'])
  })

  it('names them on the login page, escaped, with those that the client needs', async () => {
    const asked = { userinfo: { email: { essential: true } }, id_token: { groups: null, '<b>': null } }
    const page = text((await world().authorize(request(asked))).body)
    expect(page).toContain('<li>See your <code>email</code>, which it needs</li>')
    expect(page).toContain('<li>See your <code>groups</code></li>')
    expect(page).not.toContain('<b>')
  })

  it('asks for permission when a session has not allowed them', async () => {
    const { authorize, login } = browser(world())
    expect((await login(request({}))).status).toBe(302)
    expect((await authorize(request({}))).status).toBe(302)
    const page = await authorize(request({ userinfo: { email: null } }))
    expect([page.status, text(page.body).includes('<h1>Allow access?</h1>')]).toEqual([200, true])
    expect(text(page.body)).toContain('<code>email</code>')
    const silent = await authorize(request({ userinfo: { email: null } }, { prompt: 'none' }))
    expect(landed(silent)).toMatchObject({ error: 'consent_required' })
  })

  it('for the sub of another user gets login_required after the login, and with prompt none', async () => {
    const bobs = { id_token: { sub: { value: 'bob' } } }
    expect(landed(await world().login(request(bobs)))).toMatchObject({ error: 'login_required' })
    const { authorize, login } = browser(world())
    await login(request({}))
    expect(landed(await authorize(request(bobs, { prompt: 'none' })))).toMatchObject({
      error: 'login_required',
    })
    expect(text((await authorize(request(bobs))).body)).toContain('name="password"')
    const alices = { id_token: { sub: { value: 'alice' } } }
    expect(landed(await authorize(request(alices, { prompt: 'none' })))).toHaveProperty('code')
  })
})
