import { describe, expect, it } from 'vitest'
import { type Header, header } from '../../../../src/protocol/http/message.js'
import { basic, claimsOf, expectError, json, lab, type Parameters, SECRET } from '../support.js'

const DEMO = [basic('demo', SECRET)]
const bearer = (token: unknown): Header => ['authorization', `Bearer ${token}`]

async function world(form: Parameters = {}) {
  const made = lab()
  const tokens = json(await made.redeem(await made.newCode({ scope: 'openid', ...form })))
  const { post, get, token } = made
  const revoke = (value: unknown, more: Parameters = {}, headers: readonly Header[] = DEMO) =>
    post('/revocation', { token: String(value), ...more }, headers)
  const isGood = async () => (await get('/userinfo', [bearer(tokens.access_token)])).status === 200
  const refresh = () => token({ grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) })
  return { ...made, tokens, revoke, isGood, refresh }
}

describe('/revocation (RFC 7009)', () => {
  it('revokes an access token, and leaves the refresh token valid', async () => {
    const { tokens, revoke, isGood, refresh, events } = await world()
    expect(await isGood()).toBe(true)
    const response = await revoke(tokens.access_token)
    expect([response.status, json(response)]).toEqual([200, {}])
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(header(response, 'access-control-allow-origin')).toBe('*')
    const { jti } = claimsOf(tokens.access_token)
    expect(events.at(-1)).toMatchObject({ type: 'token.revoked', jti, client_id: 'demo', username: 'alice' })
    expect(await isGood()).toBe(false)
    const before = events.length
    expect((await revoke(tokens.access_token)).status).toBe(200)
    expect(events).toHaveLength(before)
    expect((await refresh()).status).toBe(200)
  })

  it('revokes a refresh token and all tokens of its authorization', async () => {
    const { tokens, revoke, isGood, refresh, events, types } = await world()
    expect((await revoke(tokens.refresh_token, { token_type_hint: 'refresh_token' })).status).toBe(200)
    expect(await isGood()).toBe(false)
    expectError(await refresh(), 400, 'invalid_grant')
    expect(types().slice(-5)).toContain('refresh_token.revoked')
    expect(JSON.stringify(events)).not.toContain(tokens.refresh_token)
    expect((await revoke(tokens.refresh_token)).status).toBe(200)
  })

  it('revokes the line of a refresh token, even with an old token', async () => {
    const { tokens, revoke, refresh, token } = await world()
    const next = json(await refresh()).refresh_token
    expect((await revoke(tokens.refresh_token)).status).toBe(200)
    const form = { grant_type: 'refresh_token', refresh_token: String(next) }
    expectError(await token(form), 400, 'invalid_grant')
  })

  it.each(['access_token', 'refresh_token', 'banana', ''])(
    'works with any token_type_hint: %j',
    async hint => {
      const { tokens, revoke, isGood } = await world()
      expect((await revoke(tokens.access_token, { token_type_hint: hint })).status).toBe(200)
      expect(await isGood()).toBe(false)
    },
  )

  it('refuses a client other than the token’s own', async () => {
    const { tokens, revoke, isGood, refresh } = await world()
    for (const value of [tokens.access_token, tokens.refresh_token]) {
      expectError(await revoke(value, {}, [basic('other', 'other-secret')]), 400, 'invalid_grant')
      expectError(await revoke(value, { client_id: 'demo-public' }, []), 400, 'invalid_grant')
      expectError(await revoke(value, {}, [basic('demo', 'wrong')]), 401, 'invalid_client')
      expectError(await revoke(value, {}, []), 400, 'invalid_client')
    }
    expect(await isGood()).toBe(true)
    expect((await refresh()).status).toBe(200)
  })

  it('works for public clients', async () => {
    const { newCode, redeem, post, get } = lab()
    const code = await newCode({ client_id: 'demo-public', scope: 'openid' })
    const { access_token: token } = json(await redeem(code, { client_id: 'demo-public' }, []))
    const response = await post('/revocation', { token: String(token), client_id: 'demo-public' })
    expect(response.status).toBe(200)
    expect((await get('/userinfo', [bearer(token)])).status).toBe(401)
  })

  it.each(['x', '\0', 'a.b.c', '__proto__', 'A'.repeat(72), 'A'.repeat(60_000)])(
    'answers 200 for the unknown token %j',
    async token => {
      const { revoke, types } = await world()
      const before = types().length
      expect((await revoke(token)).status).toBe(200)
      expect(types()).toHaveLength(before)
    },
  )

  it('answers 200 for an expired token, even of another client', async () => {
    const { tokens, revoke, clock } = await world()
    clock.now += 3_600_000
    expect((await revoke(tokens.access_token, {}, [basic('other', 'other-secret')])).status).toBe(200)
  })

  it('refuses a malformed request', async () => {
    const { post, revoke } = await world()
    expectError(await revoke(''), 400, 'invalid_request')
    expectError(await post('/revocation', 'token=a&token=b', DEMO), 400, 'invalid_request')
    expectError(await post('/revocation?client_secret=x', 'token=a', DEMO), 400, 'invalid_request')
  })
})
