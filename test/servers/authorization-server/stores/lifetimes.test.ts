import { describe, expect, it } from 'vitest'
import type { HttpResponse } from '../../../../src/protocol/http/message.js'
import { DEVICE_GRANT } from '../../../../src/servers/authorization-server/grants/polled-grant.js'
import { createIssuedTokens } from '../../../../src/servers/authorization-server/stores/issued-tokens.js'
import { createMacTokens } from '../../../../src/servers/authorization-server/stores/mac-tokens.js'
import { browser } from '../browser.js'
import { basic, client, codeRequest, countedRandom, field, json, lab, SECRET, settings } from '../support.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

const lifetimes = { code: 50 * SECOND, accessToken: 70 * SECOND, refreshToken: 3 * MINUTE, login: 5 * MINUTE }
const clients = [
  client('tv', { client_secret: 'tv-secret', grant_types: [DEVICE_GRANT] }),
  ...settings.clients,
]

/** A server whose clock shows a whole second, because the times in JWTs are whole seconds. */
function server() {
  const made = lab({ lifetimes, clients })
  made.clock.now = Date.UTC(2030, 0, 1)
  return made
}
type Server = ReturnType<typeof server>

const succeeds = async (response: HttpResponse | Promise<HttpResponse>) => (await response).status === 200

async function tokens({ newCode, redeem }: Server) {
  return json(await redeem(await newCode({ scope: 'openid' }))) as Record<
    'access_token' | 'refresh_token',
    string
  >
}

async function device({ post }: Server) {
  const credentials = [basic('tv', 'tv-secret')]
  return json(await post('/device_authorization', {}, credentials)) as Record<
    'device_code' | 'user_code',
    string
  >
}

const isActive = (on: Server, token: string) => async () =>
  json(await on.post('/introspection', { token }, [basic('demo', SECRET)])).active === true

async function loggedIn(on: Server) {
  const agent = browser(on)
  await agent.login(codeRequest())
  return agent
}

async function pushed(on: Server) {
  const { request_uri } = json(await on.post('/par', codeRequest(), [basic('demo', SECRET)]))
  return { client_id: 'demo', request_uri: String(request_uri) }
}

/** Something that ends: its lifetime in milliseconds, and a function that makes one and returns its use. */
type Row = readonly [lifetime: number, make: (on: Server) => Promise<() => Promise<boolean>>]

const table: Readonly<Record<string, Row>> = {
  'an authorization code': [
    lifetimes.code,
    async on => {
      const code = await on.newCode()
      return () => succeeds(on.redeem(code))
    },
  ],
  'an access token at /userinfo': [
    lifetimes.accessToken,
    async on => {
      const { access_token } = await tokens(on)
      return () => succeeds(on.get('/userinfo', [['authorization', `Bearer ${access_token}`]]))
    },
  ],
  'an access token at /introspection': [
    lifetimes.accessToken,
    async on => isActive(on, (await tokens(on)).access_token),
  ],
  'a refresh token': [
    lifetimes.refreshToken,
    async on => {
      const { refresh_token } = await tokens(on)
      return () => succeeds(on.token({ grant_type: 'refresh_token', refresh_token }))
    },
  ],
  'a refresh token at /introspection': [
    lifetimes.refreshToken,
    async on => isActive(on, (await tokens(on)).refresh_token),
  ],
  'a session': [
    lifetimes.login,
    async on => {
      const { authorize } = await loggedIn(on)
      return async () => (await authorize(codeRequest())).status === 302
    },
  ],
  'a login, for a request with max_age': [
    2 * MINUTE,
    async on => {
      const { authorize } = await loggedIn(on)
      return async () => (await authorize(codeRequest({ max_age: '120' }))).status === 302
    },
  ],
  'a device code that a person approved': [
    lifetimes.code,
    async on => {
      const { device_code, user_code } = await device(on)
      const agent = browser(on)
      const page = await agent.get(`/device?user_code=${user_code}`)
      const form = { user_code, username: 'alice', password: 'wonderland', csrf: field(page, 'csrf') }
      await agent.post('/device', form)
      const ask = { grant_type: DEVICE_GRANT, device_code }
      return () => succeeds(on.token(ask, [basic('tv', 'tv-secret')]))
    },
  ],
  'a user code': [
    lifetimes.code,
    async on => {
      const { user_code } = await device(on)
      return async () => field(await on.get(`/device?user_code=${user_code}`), 'csrf') !== undefined
    },
  ],
  'a pushed request that no browser opened': [
    90 * SECOND,
    async on => {
      const reference = await pushed(on)
      return () => succeeds(on.authorize(reference))
    },
  ],
  'a pushed request that a browser opened': [
    90 * SECOND + 30 * MINUTE,
    async on => {
      const reference = await pushed(on)
      const { authorize } = browser(on)
      await authorize(reference)
      return () => succeeds(authorize(reference))
    },
  ],
}

describe.each(Object.entries(table))('%s', (_, [lifetime, make]) => {
  it.each([
    ['works in the last millisecond of its lifetime', lifetime - 1, true],
    ['does not work at its end', lifetime, false],
  ])('%s', async (_, age, works) => {
    const on = server()
    const use = await make(on)
    on.clock.now += age
    expect(await use()).toBe(works)
  })
})

it('a redeemed code revokes its access token when it is replayed while the token is valid', async () => {
  const on = server()
  const code = await on.newCode({ scope: 'openid' })
  on.clock.now += lifetimes.code - 1
  const { access_token } = json(await on.redeem(code))
  on.clock.now += lifetimes.accessToken - 1
  expect((await on.redeem(code)).status).toBe(400)
  expect((await on.get('/userinfo', [['authorization', `Bearer ${access_token}`]])).status).toBe(401)
})

it.each([
  ['revokes a token in the last millisecond of its lifetime', 999, 2],
  ['leaves out a token that has ended', 1000, 1],
])('a family: %s', (_, age, number) => {
  let now = 5
  const issued = createIssuedTokens({ lifetime: 1000, now: () => now, random: countedRandom() })
  const family = issued.family('demo')
  const old = issued.add(family)
  now += age
  const latest = issued.add(family)
  expect(issued.revokeFamily(family)).toEqual([old, latest].slice(-number))
})

it('a token of type mac is returned with its key and claims, until it is revoked', () => {
  const store = createMacTokens({ lifetime: 1000, now: () => 7, random: countedRandom() })
  let revoked = false
  const { id, ...issued } = store.issue({ sub: 'alice' }, () => revoked)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(issued).toEqual({
    key: expect.stringMatching(/^[\w-]{43}$/),
    algorithm: 'hmac-sha-256',
    issuedAt: 7,
    claims: { sub: 'alice' },
  })
  expect(store.find(id)).toEqual(issued)
  revoked = true
  expect(store.find(id)).toBeUndefined()
  expect(store.find('unknown')).toBeUndefined()
})
