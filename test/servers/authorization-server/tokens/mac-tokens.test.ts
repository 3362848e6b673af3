import { describe, expect, it } from 'vitest'
import { bytes, type Header, type HttpRequest } from '../../../../src/protocol/http/message.js'
import { macAuthorization } from '../../../../src/protocol/oauth/mac.js'
import { createMacTokens } from '../../../../src/servers/authorization-server/stores/mac-tokens.js'
import { createResourceServer } from '../../../../src/servers/resource-server/server.js'
import { DEFAULT_ROUTES } from '../../../../src/servers/resource-server/settings.js'
import { recordingSite } from '../../../support/ask.js'
import {
  basic,
  countedRandom,
  expectError,
  ISSUER,
  json,
  lab,
  numberedRandom,
  type Parameters,
  SECRET,
  settings,
} from '../support.js'

const RESOURCE = 'https://localhost:8444'
const SERVICE = [basic('service', 'service-secret')]
const HOUR = 3_600_000

/** Both servers. They share only the store of MAC keys. */
function world() {
  const clock = { now: Date.UTC(2030, 0, 1) }
  const now = () => clock.now
  const macTokens = createMacTokens({ lifetime: HOUR, now, random: countedRandom() })
  const made = lab({}, undefined, { now, macTokens })
  const server = createResourceServer(
    {
      baseUrl: RESOURCE,
      issuer: ISSUER,
      audiences: ['demo', 'service'],
      routes: DEFAULT_ROUTES,
      keys: { kind: 'discovery' },
    },
    {
      now,
      random: countedRandom(),
      macKeys: macTokens.find,
      fetchJson: async () => expect.fail('a MAC needs no published key'),
    },
  )
  const resource = recordingSite(server)
  const issue = async (form: Parameters = {}, headers: readonly Header[] = SERVICE) =>
    json(await made.token({ grant_type: 'client_credentials', token_type: 'mac', ...form }, headers))
  const call = async (tokens: Record<string, unknown>, nonce: string, more: Partial<HttpRequest> = {}) => {
    const request: HttpRequest = {
      method: 'GET',
      url: `${RESOURCE}/resource`,
      body: bytes(''),
      ...more,
      headers: [['host', 'localhost:8444'], ...(more.headers ?? [])],
    }
    const credentials = {
      id: String(tokens.access_token),
      key: String(tokens.mac_key),
      algorithm: tokens.mac_algorithm as 'hmac-sha-256',
    }
    const authorization = macAuthorization(request, credentials, { nonce })
    return resource.handle({ ...request, headers: [...request.headers, ['authorization', authorization]] })
  }
  return { ...made, clock, macTokens, issue, call }
}

describe('token_type=mac at /token (draft-ietf-oauth-v2-http-mac-00 §5.1)', () => {
  it('returns an id, its key and the algorithm, and no JWT', async () => {
    const { issue, events } = world()
    const tokens = await issue()
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{22}$/),
      token_type: 'mac',
      expires_in: 3600,
      scope: 'records:read',
      mac_key: expect.stringMatching(/^[\w-]{43}$/),
      mac_algorithm: 'hmac-sha-256',
    })
    expect(events.at(-1)).toMatchObject({ type: 'token.issued', token_type: 'mac', client_id: 'service' })
    expect(JSON.stringify(events)).not.toContain(tokens.mac_key)
    expect(JSON.stringify(events)).not.toContain(tokens.access_token)
  })

  it('signs a request that the resource server accepts, with the claims of the token', async () => {
    const { issue, call } = world()
    const answer = await call(await issue(), '0:a')
    expect([answer.status, json(answer)]).toMatchObject([
      200,
      { sub: 'service', aud: 'service', iss: ISSUER, scope: 'records:read', decided: { scheme: 'MAC' } },
    ])
  })

  it('covers the body, and needs the scope like any token', async () => {
    const { issue, call } = world()
    const body = bytes('{"a":1}')
    const headers: Header[] = [['content-type', 'application/json']]
    const post = { method: 'POST', url: `${RESOURCE}/records`, body, headers }
    expect((await call(await issue(), '0:a', post)).status).toBe(403)
    const answer = await call(await issue({ scope: 'records:write' }), '0:a', post)
    expect([answer.status, json(answer)]).toMatchObject([201, { by: 'service', value: { a: 1 } }])
  })

  it('is accepted once for each nonce, until it expires', async () => {
    const { issue, call, clock } = world()
    const tokens = await issue()
    expect((await call(tokens, '0:a')).status).toBe(200)
    expect((await call(tokens, '0:a')).status).toBe(401)
    clock.now += HOUR - 1000
    expect((await call(tokens, '3599:b')).status).toBe(200)
    clock.now += 1000
    const expired = await call(tokens, '3600:c')
    expect([expired.status, json(expired).error]).toEqual([401, 'invalid_token'])
    expect(String(json(expired).error_description)).toContain('exp: ')
  })

  it('is not accepted as a bearer token', async () => {
    const { issue, get } = world()
    const { access_token: token } = await issue()
    expect((await get('/userinfo', [['authorization', `Bearer ${token}`]])).status).toBe(401)
  })

  it('is introspected, and ends when its client revokes it or its code is replayed', async () => {
    const { issue, call, post, newCode, redeem } = world()
    const tokens = await issue()
    const shown = async () => {
      const answer = await post('/introspection', { token: String(tokens.access_token) }, SERVICE)
      return json(answer)
    }
    expect(await shown()).toMatchObject({ active: true, token_type: 'mac', sub: 'service', iss: ISSUER })
    expect((await post('/revocation', { token: String(tokens.access_token) }, SERVICE)).status).toBe(200)
    expect(await shown()).toEqual({ active: false })
    expect((await call(tokens, '0:b')).status).toBe(401)

    const code = await newCode()
    const ofUser = json(await redeem(code, { token_type: 'mac' }))
    expect(ofUser).toMatchObject({ token_type: 'mac', refresh_token: expect.any(String) })
    expect(json(await call(ofUser, '0:a'))).toMatchObject({ sub: 'alice', client_id: 'demo' })
    expectError(await redeem(code), 400, 'invalid_grant')
    expect((await call(ofUser, '0:b')).status).toBe(401)
  })

  it('is introspected as inactive once it has expired', async () => {
    const { issue, post, clock } = world()
    const { access_token: issued, expires_in: lifetime } = await issue()
    const active = async () => json(await post('/introspection', { token: String(issued) }, SERVICE)).active
    clock.now += Number(lifetime) * 1000 - 1
    expect(await active()).toBe(true)
    clock.now += 1
    expect(await active()).toBe(false)
  })

  it('is introspected as inactive while its client is disabled', async () => {
    const clients = [...settings.clients]
    const macTokens = createMacTokens({ lifetime: HOUR, now: () => 0, random: countedRandom() })
    const { token, post } = lab({ clients }, undefined, { macTokens })
    const form = { grant_type: 'client_credentials', token_type: 'mac' }
    const { access_token: issued } = json(await token(form, SERVICE))
    const active = async () =>
      json(await post('/introspection', { token: String(issued) }, [basic('demo', SECRET)])).active
    expect(await active()).toBe(true)
    clients.push({ ...clients.find(each => each.client_id === 'service')!, enabled: false })
    expect(await active()).toBe(false)
  })

  it.each(['hologram', 'N_A'])('refuses the type %s, and the code stays valid', async type => {
    const { newCode, redeem } = world()
    const code = await newCode()
    expectError(await redeem(code, { token_type: type }), 400, 'invalid_request')
    expect(json(await redeem(code, { token_type: 'bearer' }))).toMatchObject({ token_type: 'Bearer' })
  })

  it('is refused without a store that a resource server shares', async () => {
    const form = { grant_type: 'client_credentials', token_type: 'mac' }
    expectError(await lab().token(form, [basic('demo', SECRET)]), 400, 'unauthorized_client')
    expectError(await lab().token(form, SERVICE), 400, 'invalid_request')
  })
})

describe('the store of MAC tokens', () => {
  it('is bounded, and drops the oldest tokens', () => {
    const { issue, find } = createMacTokens({ lifetime: HOUR, now: () => 0, random: numberedRandom() })
    const first = issue({ sub: 'first' }, () => false)
    expect(find(first.id)).toMatchObject({ claims: { sub: 'first' } })
    for (let i = 0; i < 10_000; i++) issue({}, () => false)
    expect(find(first.id)).toBeUndefined()
    const last = issue({ sub: 'last' }, () => false)
    expect(find(last.id)).toMatchObject({ key: last.key, issuedAt: 0 })
  })
})
