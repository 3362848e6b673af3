import { describe, expect, it } from 'vitest'
import type { Header } from '../../../../src/protocol/http/message.js'
import { tokenHash } from '../../../../src/protocol/tokens/verify.js'
import { byPassword } from '../../../../src/servers/authorization-server/logins/authentication.js'
import { createIssuedTokens } from '../../../../src/servers/authorization-server/stores/issued-tokens.js'
import { createRefreshTokens } from '../../../../src/servers/authorization-server/stores/refresh-tokens.js'
import {
  basic,
  claimsOf,
  countedRandom,
  entitlement,
  expectError,
  json,
  lab,
  type Parameters,
  settings,
} from '../support.js'

const bearer = (token: unknown): Header => ['authorization', `Bearer ${token}`]

/** A lab with a first refresh token. */
async function authorized(asked: Parameters = {}, world = lab()) {
  const first = json(await world.redeem(await world.newCode(asked)))
  const refresh = (token: unknown, form: Parameters = {}, headers?: readonly Header[]) =>
    world.token({ grant_type: 'refresh_token', refresh_token: String(token), ...form }, headers)
  return { ...world, first, refresh }
}

describe('a refresh token', () => {
  it('is used once, and gives the next one', async () => {
    const { first, refresh, events } = await authorized({ scope: 'records:read records:write' })
    const response = await refresh(first.refresh_token)
    expect(response.status).toBe(200)
    const second = json(response)
    expect(second).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'records:read records:write',
      refresh_token: expect.stringMatching(/^[\w-]{72}$/),
    })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(second.access_token).not.toBe(first.access_token)
    for (const token of [first.refresh_token, second.refresh_token, second.access_token]) {
      expect(JSON.stringify(events)).not.toContain(token)
    }
    expect((await refresh(second.refresh_token)).status).toBe(200)
  })

  it('keeps user and login in the id_token, without the nonce', async () => {
    const { first, refresh, clock } = await authorized({ scope: 'openid', nonce: 'n' })
    const { auth_time, sub } = claimsOf(first.id_token)
    clock.now += 1_000_000
    const second = json(await refresh(first.refresh_token))
    const now = Math.floor(clock.now / 1000)
    expect(claimsOf(second.id_token)).toEqual({
      iss: 'https://localhost:8443',
      aud: 'demo',
      sub,
      auth_time,
      iat: now,
      exp: now + 3600,
      sid: claimsOf(first.id_token).sid,
      acr: 'urn:oauth-lab:acr:pwd',
      amr: ['pwd'],
      at_hash: tokenHash(String(second.access_token), 'RS256'),
    })
  })

  it('gives less scope for one access token, and all of it for the next', async () => {
    const { first, refresh } = await authorized({ scope: 'openid records:read records:write' })
    const narrow = json(await refresh(first.refresh_token, { scope: 'records:write' }))
    expect([narrow.scope, narrow.id_token]).toEqual(['records:write', undefined])
    expect(claimsOf(narrow.access_token).scope).toBe('records:write')
    const whole = json(await refresh(narrow.refresh_token))
    expect(whole.scope).toBe('openid records:read records:write')
  })

  it.each(['records:write', 'records:read records:write', 'nothing', 'openid', ' ', 'a"b'])(
    'gives no other scope: %j, and stays valid',
    async scope => {
      const { first, refresh } = await authorized()
      expectError(await refresh(first.refresh_token, { scope }), 400, 'invalid_scope')
      expect((await refresh(first.refresh_token)).status).toBe(200)
    },
  )

  it('that is used again revokes every token of its authorization', async () => {
    const { first, refresh, get } = await authorized({ scope: 'openid' })
    const second = json(await refresh(first.refresh_token))
    const third = json(await refresh(second.refresh_token))
    expectError(await refresh(first.refresh_token), 400, 'invalid_grant')
    for (const { access_token: token } of [first, second, third]) {
      expect((await get('/userinfo', [bearer(token)])).status).toBe(401)
    }
    expectError(await refresh(third.refresh_token), 400, 'invalid_grant')
  })

  it('of one authorization does not affect another', async () => {
    const world = lab()
    const [one, other] = [await authorized({}, world), await authorized({}, world)]
    await one.refresh(one.first.refresh_token)
    expectError(await one.refresh(one.first.refresh_token), 400, 'invalid_grant')
    expect((await other.refresh(other.first.refresh_token)).status).toBe(200)
  })

  it('succeeds once in 20 parallel uses, and the tokens of that use are revoked', async () => {
    const { first, refresh, get, types } = await authorized({ scope: 'openid' })
    const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(first.refresh_token)))
    const successes = responses.filter(response => response.status === 200)
    expect(successes).toHaveLength(1)
    for (const response of responses) {
      if (response.status !== 200) expectError(response, 400, 'invalid_grant')
    }
    expect(types().filter(type => type === 'refresh_token.reused')).toHaveLength(1)
    const { access_token: token, refresh_token: next } = json(successes[0]!)
    expect((await get('/userinfo', [bearer(token)])).status).toBe(401)
    expectError(await refresh(next), 400, 'invalid_grant')
  })

  it('is revoked with a replayed code', async () => {
    const world = lab()
    const code = await world.newCode()
    const { refresh_token: token } = json(await world.redeem(code))
    await world.redeem(code)
    const form = { grant_type: 'refresh_token', refresh_token: String(token) }
    expectError(await world.token(form), 400, 'invalid_grant')
  })

  it('expires by the clock, and each use restarts its lifetime', async () => {
    const { first, refresh, clock } = await authorized()
    const { refreshToken } = settings.lifetimes
    clock.now += refreshToken - 1
    const { refresh_token: second } = json(await refresh(first.refresh_token))
    clock.now += refreshToken - 1
    const { refresh_token: third } = json(await refresh(second))
    clock.now += refreshToken
    expectError(await refresh(third), 400, 'invalid_grant')
  })

  it('is bound to its client, and stays valid after an attempt of another', async () => {
    const { first, refresh } = await authorized()
    const token = first.refresh_token
    expectError(await refresh(token, {}, [basic('other', 'other-secret')]), 400, 'invalid_grant')
    expectError(await refresh(token, { client_id: 'demo-public' }, []), 400, 'invalid_grant')
    expectError(await refresh(token, {}, [basic('demo', 'wrong')]), 401, 'invalid_client')
    expectError(await refresh(token, { client_id: 'demo' }, []), 400, 'invalid_client')
    expect((await refresh(token)).status).toBe(200)
  })

  it.each([
    ['', 'invalid_request'],
    ['x', 'invalid_grant'],
    ['é'.repeat(72), 'invalid_grant'],
    ['A'.repeat(72), 'invalid_grant'],
  ])('is not %j', async (token, error) => {
    const { refresh } = await authorized()
    expectError(await refresh(token), 400, error)
  })

  it('with one character changed is unknown, and revokes nothing', async () => {
    const { first, refresh } = await authorized()
    const token = String(first.refresh_token)
    for (const i of [0, 20, 26, 40, 71]) {
      const other = token[i] === 'A' ? 'B' : 'A'
      expectError(await refresh(token.slice(0, i) + other + token.slice(i + 1)), 400, 'invalid_grant')
    }
    expect((await refresh(token)).status).toBe(200)
  })
})

describe('the store of refresh tokens', () => {
  const make = (now = () => 0) => createRefreshTokens({ lifetime: 1000, now, random: countedRandom() })
  const issued = createIssuedTokens({ lifetime: 1000, now: () => 0, random: countedRandom() })
  const entitled = () => entitlement(issued.family('demo'))

  it('keeps one record for each authorization, however often it is rotated', () => {
    const store = make()
    const demo = entitled()
    let token = store.issueFor(demo, byPassword(0)) ?? ''
    const first = token
    for (let i = 0; i < 500; i++) token = store.rotate(token, demo)
    expect(store.size).toBe(1)
    expect([store.find(first)?.state, store.find(token)?.state]).toEqual(['rotated', 'valid'])
  })

  it('is bounded', () => {
    const store = createRefreshTokens({ lifetime: 1000, limit: 100, now: () => 0, random: countedRandom() })
    const shared = entitled()
    let last: string | undefined
    for (let i = 0; i < 250; i++) last = store.issueFor(shared, byPassword(0))
    expect(store.size).toBeLessThanOrEqual(100)
    expect(store.find(last ?? '')?.state).toBe('valid')
  })
})

describe('a family of access tokens', () => {
  it('drops expired tokens', () => {
    let now = 0
    const tokens = createIssuedTokens({ lifetime: 1000, now: () => now, random: countedRandom() })
    const family = tokens.family('demo')
    let last = ''
    for (; now < 100_000; now += 100) last = tokens.add(family)
    expect(family.latest.length).toBeLessThanOrEqual(11)
    expect(tokens.revokeFamily(family)).toContain(last)
  })

  it('names its latest twenty, and revokes all', () => {
    const tokens = createIssuedTokens({ lifetime: 1000, now: () => 0, random: countedRandom() })
    const family = tokens.family('demo')
    const all = Array.from({ length: 5000 }, () => tokens.add(family))
    expect(new Set(all).size).toBe(5000)
    expect(tokens.revokeFamily(family)).toEqual(all.slice(-20))
    expect(all.every(tokens.isRevoked)).toBe(true)
    expect(tokens.isRevoked(tokens.add(tokens.family('demo')))).toBe(false)
  })
})
