import { describe, expect, it } from 'vitest'
import { bytes, type Header, header } from '../../../../src/protocol/http/message.js'
import {
  basic,
  claimsOf,
  client,
  expectError,
  FORM,
  ISSUER,
  json,
  lab,
  type Parameters,
  query,
} from '../support.js'

const clients = [
  client('legacy', { client_secret: 'legacy-secret', grant_types: ['password', 'refresh_token'] }),
  client('no-refresh', { client_secret: 'x', grant_types: ['password'] }),
  client('service', { client_secret: 's', grant_types: ['client_credentials', 'refresh_token'] }),
  client('public', { grant_types: ['client_credentials', 'password'] }),
  client('narrow', { client_secret: 'x', grant_types: ['password'], allowed_scopes: ['records:read'] }),
]
const LEGACY = [basic('legacy', 'legacy-secret')]
const SERVICE = [basic('service', 's')]
const alice = { grant_type: 'password', username: 'alice', password: 'wonderland' }

describe('the password grant', () => {
  it('gives tokens for a right password', async () => {
    const { token, events, clock } = lab({ clients })
    const response = await token({ ...alice, scope: 'openid records:read' }, LEGACY)
    expect(response.status).toBe(200)
    const answer = json(response)
    expect(answer).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'openid records:read' })
    expect(claimsOf(answer.access_token)).toMatchObject({ sub: 'alice', aud: 'legacy', client_id: 'legacy' })
    expect(claimsOf(answer.id_token)).toMatchObject({ sub: 'alice', auth_time: Math.floor(clock.now / 1000) })
    const refresh = { grant_type: 'refresh_token', refresh_token: String(answer.refresh_token) }
    expect((await token(refresh, LEGACY)).status).toBe(200)
    expect(events[0]).toMatchObject({ type: 'token.issued', grant_type: 'password', sub: 'alice' })
    expect(JSON.stringify(events)).not.toContain('wonderland')
  })

  it('gives the default scope, and no refresh token to a client that is not registered for it', async () => {
    const answer = json(await lab({ clients }).token(alice, [basic('no-refresh', 'x')]))
    expect(answer.scope).toBe('records:read')
    expect([answer.refresh_token, answer.id_token]).toEqual([undefined, undefined])
  })

  const bad: readonly [form: Parameters, error: string][] = [
    [{ password: 'wrong' }, 'invalid_grant'],
    [{ username: 'nobody' }, 'invalid_grant'],
    [{ username: '__proto__' }, 'invalid_grant'],
    [{ username: 'alice\0' }, 'invalid_grant'],
    [{ username: 'Alice' }, 'invalid_grant'],
    [{ password: 'x'.repeat(50_000) }, 'invalid_grant'],
    [{ username: '' }, 'invalid_request'],
    [{ password: undefined }, 'invalid_request'],
    [{ scope: 'unknown' }, 'invalid_scope'],
    [{ resource: 'not-absolute' }, 'invalid_target'],
  ]
  it.each(bad)('refuses %j', async (form, error) => {
    expectError(await lab({ clients }).token({ ...alice, ...form }, LEGACY), 400, error)
  })

  it('gives the same error for a wrong password and an unknown user', async () => {
    const { token, events } = lab({ clients })
    const wrong = await token({ ...alice, password: 'wrong' }, LEGACY)
    const unknown = await token({ ...alice, username: 'nobody' }, LEGACY)
    expect(json(unknown)).toEqual(json(wrong))
    expect(events[2]).toMatchObject({ type: 'password.refused', username: 'nobody', reason: 'credentials' })
  })

  it('may be used by a registered public client, and by no other client', async () => {
    const { token } = lab({ clients })
    expect((await token({ ...alice, client_id: 'public' }, [])).status).toBe(200)
    expectError(await token(alice, SERVICE), 400, 'unauthorized_client')
    expectError(await token(alice, []), 400, 'invalid_client')
  })
})

describe('the limit of the password grant', () => {
  const limited = {
    clients,
    rateLimits: { login: 'off', passwordGrant: { attempts: 3, window: 60_000 }, clientSecret: 'off' },
  } as const
  const wrong = { ...alice, password: 'wrong' }

  it.each(['alice', 'nobody'])('stops wrong passwords of %s until the window ends', async username => {
    const { token, clock, events } = lab(limited)
    for (let i = 0; i < 3; i++) expectError(await token({ ...wrong, username }, LEGACY), 400, 'invalid_grant')
    clock.now += 1500
    const refused = await token({ ...wrong, username }, LEGACY)
    expectError(refused, 429, 'invalid_request')
    expect(header(refused, 'retry-after')).toBe('59')
    expect(events.at(-1)).toMatchObject({ type: 'token.refused', status: 429 })
    // Now a right password gets the same answer as a wrong one.
    expectError(await token({ ...alice, username }, LEGACY), 429, 'invalid_request')
    clock.now += 58_500
    expectError(await token({ ...wrong, username }, LEGACY), 400, 'invalid_grant')
  })

  it('applies to one user at one address', async () => {
    const { handle, token } = lab(limited)
    const from = (remoteAddress: string, form: Parameters) =>
      handle({
        method: 'POST',
        url: `${ISSUER}/token`,
        headers: [FORM, ...LEGACY],
        body: bytes(query(form)),
        remoteAddress,
      })
    for (let i = 0; i < 3; i++) await from('192.0.2.1', wrong)
    expect((await from('192.0.2.1', alice)).status).toBe(429)
    expect((await from('192.0.2.2', alice)).status).toBe(200)
    expect((await from('192.0.2.1', { ...alice, username: 'bob', password: 'builder' })).status).toBe(200)
    expect((await token(alice, LEGACY)).status).toBe(200)
  })
})

describe('the client credentials grant', () => {
  const form = { grant_type: 'client_credentials' }

  it('gives a token whose subject is the client, and nothing else', async () => {
    const { token, events } = lab({ clients })
    const answer = json(await token(form, SERVICE))
    expect(answer).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'records:read',
    })
    const own = { sub: 'service', aud: 'service', client_id: 'service' }
    expect(claimsOf(answer.access_token)).toMatchObject(own)
    expect(events.map(event => event.type)).toEqual(['token.issued'])
  })

  it('drops the scopes that need a user, and returns the granted scope', async () => {
    const { token, get } = lab({ clients })
    const answer = json(await token({ ...form, scope: 'openid offline_access records:write' }, SERVICE))
    expect(answer.scope).toBe('records:write')
    expect([answer.id_token, answer.refresh_token]).toEqual([undefined, undefined])
    const bearer: Header = ['authorization', `Bearer ${answer.access_token}`]
    expect((await get('/userinfo', [bearer])).status).toBe(401)
  })

  it('answers scope=openid alone with a token that has no scope, and the event says so', async () => {
    const { token, events } = lab({ clients })
    const answer = json(await token({ ...form, scope: 'openid' }, SERVICE))
    expect([answer.scope, claimsOf(answer.access_token).scope, answer.id_token]).toEqual(['', '', undefined])
    expect(events).toMatchObject([{ type: 'token.issued', dropped_scope: 'openid' }])
  })

  it.each([
    ['an unknown scope', { scope: 'banana' }, SERVICE, 400, 'invalid_scope'],
    ['a public client', { client_id: 'public' }, [], 400, 'unauthorized_client'],
    ['another client', {}, LEGACY, 400, 'unauthorized_client'],
    ['nobody', {}, [], 400, 'invalid_client'],
    ['a wrong secret', {}, [basic('service', 'x')], 401, 'invalid_client'],
  ] as const)('refuses %s', async (_name, more, headers, status, error) => {
    expectError(await lab({ clients }).token({ ...form, ...more }, headers), status, error)
  })
})

describe('resource indicators (RFC 8707)', () => {
  const named = 'https://api.example/records'
  const cases: readonly [resources: string, aud: string | string[]][] = [
    ['', 'service'],
    ['&resource=', 'service'],
    [`&resource=${named}`, named],
    [`&resource=${named}&resource=urn:example:b`, [named, 'urn:example:b']],
    [`&resource=${named}&resource=${named}`, named],
  ]
  it.each(cases)('%j gives the audience %j', async (resources, aud) => {
    const response = await lab({ clients }).token(`grant_type=client_credentials${resources}`, SERVICE)
    expect(claimsOf(json(response).access_token).aud).toEqual(aud)
  })
})
