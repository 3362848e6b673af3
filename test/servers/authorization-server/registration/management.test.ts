import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import { basic, codeRequest, expectError, ISSUER, json, landed } from '../support.js'
import { bearer, JSON_BODY, type Members, registrationLab, WEB } from './support.js'

const CALLBACK = 'https://client.example/cb'

/** The metadata of an answer as an update sends them. */
function metadataOf(client: Members): Members {
  const answersAlone = /^(registration_|client_secret_expires_at$|client_id_issued_at$)/
  return Object.fromEntries(Object.entries(client).filter(([name]) => !answersAlone.test(name)))
}

describe('reading', () => {
  it('returns the registration as it was answered', async () => {
    const { registered, manage } = registrationLab()
    const client = await registered({ ...WEB, client_name: 'Example' })
    const response = await manage(client, 'GET')
    expect([response.status, header(response, 'cache-control')]).toEqual([200, 'no-store'])
    expect(json(response)).toEqual(client)
  })

  it.each(['GET', 'PUT', 'DELETE'] as const)('%s needs the token of this client', async method => {
    const { registered, manage, send } = registrationLab()
    const [client, other] = [await registered(WEB), await registered(WEB)]
    for (const token of [other.registration_access_token, client.client_secret, 'x']) {
      const response = await manage(client, method, metadataOf(client), token)
      expectError(response, 401, 'invalid_token')
      expect(header(response, 'www-authenticate')).toMatch(/^Bearer .*error="invalid_token"/)
    }
    const without = await send(method, `/register/${client.client_id}`, [JSON_BODY], '{}')
    expect(without.status).toBe(401)
    expect(header(without, 'www-authenticate')).not.toContain('error=')
    expect(json(await manage(client, 'GET'))).toEqual(client)
  })

  it.each([
    ['a client that never was', `/register/${'0'.repeat(32)}`],
    ['a client of the lab file', '/register/demo'],
    ['a broken id', '/register/__proto__'],
  ])('is 401 for %s', async (_, path) => {
    const { send } = registrationLab()
    expectError(await send('GET', path, [bearer('x')]), 401, 'invalid_token')
  })

  it('takes no token in the query', async () => {
    const { registered, get } = registrationLab()
    const client = await registered(WEB)
    const response = await get(
      `/register/${client.client_id}?access_token=${client.registration_access_token}`,
    )
    expect(response.status).toBe(401)
  })

  it('answers other methods with 405', async () => {
    const { registered, send } = registrationLab()
    const client = await registered(WEB)
    const response = await send('POST', `/register/${client.client_id}`, [JSON_BODY], '{}')
    expectError(response, 405, 'invalid_request')
    expect(header(response, 'allow')).toBe('GET, HEAD, PUT, DELETE')
  })
})

describe('updating', () => {
  it('replaces all metadata, and keeps id, secret and token', async () => {
    const { registered, manage, events } = registrationLab()
    const client = await registered({ ...WEB, client_name: 'Old', tos_uri: 'https://client.example/tos' })
    const { tos_uri: _, ...sent } = metadataOf(client)
    const response = await manage(client, 'PUT', { ...sent, client_name: 'New' })
    expect(response.status).toBe(200)
    const updated = json(response)
    expect(updated).toEqual({ ...client, tos_uri: undefined, client_name: 'New' })
    expect(updated).not.toHaveProperty('tos_uri')
    expect(json(await manage(client, 'GET'))).toEqual(updated)
    expect(events.at(-1)).toEqual({
      type: 'client.updated',
      client_id: client.client_id,
      client_name: 'New',
      redirect_uris: [CALLBACK],
      changed: ['client_name', 'tos_uri'],
    })
  })

  it.each([null, ''])('counts a client_secret of %j as left out (RFC 7592 §2.2)', async client_secret => {
    const { registered, manage } = registrationLab()
    const client = await registered(WEB)
    const updated = await manage(client, 'PUT', { ...WEB, client_id: client.client_id, client_secret })
    expect(json(updated).client_secret).toBe(client.client_secret)
  })

  it('may leave the secret out, and brings defaults back for what it leaves out', async () => {
    const { registered, manage } = registrationLab()
    const client = await registered({ ...WEB, scope: 'openid' })
    const { client_id } = client
    const updated = json(await manage(client, 'PUT', { ...WEB, client_id, scope: null }))
    expect(updated.client_secret).toBe(client.client_secret)
    expect(updated.scope).toBe('openid profile email offline_access records:read records:write')
  })

  it('takes the secret from a client that needs none any more, and gives one to a client that does', async () => {
    const { registered, manage } = registrationLab()
    const client = await registered(WEB)
    const { client_id } = client
    const none = { ...WEB, client_id, token_endpoint_auth_method: 'none' }
    expect(json(await manage(client, 'PUT', none))).not.toHaveProperty('client_secret')
    const again = json(await manage(client, 'PUT', { ...WEB, client_id }))
    expect(again.client_secret).toMatch(/^[\w-]{43}$/)
    expect(again.client_secret).not.toBe(client.client_secret)
  })

  it('counts for the next request', async () => {
    const { registered, manage, authorize } = registrationLab()
    const client = await registered(WEB)
    const { client_id } = client
    const moved = 'https://client.example/moved'
    await manage(client, 'PUT', { client_id, redirect_uris: [moved] })
    const request = (redirect_uri: string) => codeRequest({ client_id: String(client_id), redirect_uri })
    expect((await authorize(request(moved))).status).toBe(200)
    expect((await authorize(request(CALLBACK))).status).toBe(400)
  })

  it.each([
    ['no client_id', { client_id: undefined }],
    ['another client_id', { client_id: 'demo' }],
    ['another secret', { client_secret: 'chosen-by-me-0123456789' }],
    ['a secret of another type', { client_secret: 1 }],
    ['registration_access_token', { registration_access_token: 'x' }],
    ['registration_client_uri', { registration_client_uri: 'x' }],
    ['client_secret_expires_at', { client_secret_expires_at: 0 }],
    ['client_id_issued_at', { client_id_issued_at: 1 }],
    ['a value that is not supported', { subject_type: 'private' }],
  ])('refuses %s, and changes nothing', async (_, more) => {
    const { registered, manage, events } = registrationLab()
    const client = await registered(WEB)
    const response = await manage(client, 'PUT', { ...metadataOf(client), client_name: 'New', ...more })
    expectError(response, 400, 'invalid_client_metadata')
    expect(events.at(-1)).toMatchObject({ type: 'registration.refused', client_id: client.client_id })
    expect(json(await manage(client, 'GET'))).toEqual(client)
  })
})

describe('deleting', () => {
  async function withTokens() {
    const server = registrationLab()
    const client = await server.registered({
      ...WEB,
      grant_types: ['authorization_code', 'refresh_token'],
      scope: 'openid profile',
    })
    const [id, secret] = [String(client.client_id), String(client.client_secret)]
    const request = codeRequest({ client_id: id, redirect_uri: CALLBACK, scope: 'openid profile' })
    const code = async () => landed(await server.login(request)).code
    const auth = [basic(id, secret)]
    const redeem = (code: string | undefined) =>
      server.token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK }, auth)
    return { ...server, client, auth, code, redeem, request }
  }

  it('answers 204, and the client is gone', async () => {
    const { client, manage, authorize, request, events } = await withTokens()
    const response = await manage(client, 'DELETE')
    expect([response.status, response.body.length]).toEqual([204, 0])
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(events.at(-1)).toEqual({ type: 'client.deleted', client_id: client.client_id, by: 'client' })
    for (const method of ['GET', 'DELETE'] as const) {
      expectError(await manage(client, method), 401, 'invalid_token')
    }
    expect((await authorize(request)).status).toBe(400)
  })

  it('ends its codes, refresh tokens and access tokens', async () => {
    const { client, auth, code, redeem, manage, token, get, post } = await withTokens()
    const unused = await code()
    const tokens = json(await redeem(await code()))
    const userinfo = () => get('/userinfo', [bearer(tokens.access_token)])
    expect((await userinfo()).status).toBe(200)
    await manage(client, 'DELETE')
    expect((await userinfo()).status).toBe(401)
    expectError(await redeem(unused), 401, 'invalid_client')
    const refresh = { grant_type: 'refresh_token', refresh_token: String(tokens.refresh_token) }
    expectError(await token(refresh, auth), 401, 'invalid_client')
    for (const shown of [tokens.access_token, tokens.refresh_token]) {
      const demo = basic('demo', 'demo-secret-0123456789abcdef0123456789')
      const answer = json(await post('/introspection', { token: String(shown) }, [demo]))
      expect(answer).toEqual({ active: false })
    }
  })

  it('ends a login that is under way', async () => {
    const { client, manage, openForm, request, post } = await withTokens()
    const { cookies, csrf } = await openForm(request)
    await manage(client, 'DELETE')
    const fields = { username: 'alice', password: 'wonderland', csrf }
    const target = `/authorization?${new URLSearchParams(request as Record<string, string>)}`
    const response = await post(target, fields, cookies)
    expect(response.status).toBe(400)
    expect(header(response, 'location')).toBeUndefined()
  })

  it('leaves other clients alone', async () => {
    const { client, registered, manage } = await withTokens()
    const other = await registered(WEB)
    await manage(client, 'DELETE')
    expect(json(await manage(other, 'GET'))).toEqual(other)
    expect(other.registration_client_uri).toBe(`${ISSUER}/register/${other.client_id}`)
  })
})
