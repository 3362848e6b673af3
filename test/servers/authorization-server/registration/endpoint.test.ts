import { describe, expect, it } from 'vitest'
import { header } from '../../../../src/protocol/http/message.js'
import { createRegisteredClients } from '../../../../src/servers/authorization-server/stores/registry.js'
import { rsaPair } from '../../../support/rsa-keys.js'
import { basic, expectError, ISSUER, json } from '../support.js'
import { bearer, JSON_BODY, registrationLab, WEB } from './support.js'

const publicJwk = rsaPair(2).publicKey.export({ format: 'jwk' })

describe('a registration', () => {
  it('is answered 201 with the id, the secret, the management URL and all metadata', async () => {
    const { register, clock } = registrationLab()
    const response = await register({ ...WEB, client_name: 'Example' })
    expect(response.status).toBe(201)
    expect(header(response, 'content-type')).toBe('application/json;charset=UTF-8')
    expect(header(response, 'cache-control')).toBe('no-store')
    expect(header(response, 'pragma')).toBe('no-cache')
    const client = json(response)
    expect(client).toEqual({
      client_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      client_id_issued_at: Math.floor(clock.now / 1000),
      client_secret: expect.stringMatching(/^[\w-]{43}$/),
      client_secret_expires_at: 0,
      registration_access_token: expect.stringMatching(/^[\w-]{43}$/),
      registration_client_uri: `${ISSUER}/register/${client.client_id}`,
      redirect_uris: ['https://client.example/cb'],
      client_name: 'Example',
      application_type: 'web',
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_basic',
      scope: 'openid profile email offline_access records:read records:write',
      subject_type: 'public',
      id_token_signed_response_alg: 'RS256',
      token_profile: 'jwt',
    })
    expect(header(response, 'location')).toBe(client.registration_client_uri)
  })

  it('gives every client an id, a secret and a token of its own', async () => {
    const { registered } = registrationLab()
    const [a, b] = [await registered(WEB), await registered(WEB)]
    for (const name of ['client_id', 'client_secret', 'registration_access_token']) {
      expect(a[name]).not.toBe(b[name])
    }
  })

  it.each([
    ['no method', {}, 200, 200],
    ['client_secret_basic', { token_endpoint_auth_method: 'client_secret_basic' }, 200, 401],
    ['client_secret_post', { token_endpoint_auth_method: 'client_secret_post' }, 401, 200],
  ])('holds a client to the method that it named: %s', async (_, method, header, body) => {
    const { registered, token } = registrationLab()
    const service = { grant_types: ['client_credentials'], scope: 'records:read', ...method }
    const { client_id, client_secret } = await registered(service)
    const [id, secret] = [String(client_id), String(client_secret)]
    const form = { grant_type: 'client_credentials' }
    expect((await token(form, [basic(id, secret)])).status).toBe(header)
    const inBody = await token({ ...form, client_id: id, client_secret: secret }, [])
    expect(inBody.status).toBe(body === 401 ? 400 : body)
  })

  it('gives a public client and a client with keys no secret', async () => {
    const { registered } = registrationLab()
    const spa = await registered({ ...WEB, token_endpoint_auth_method: 'none' })
    expect(spa).not.toHaveProperty('client_secret')
    expect(spa).not.toHaveProperty('client_secret_expires_at')
    const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [publicJwk] } }
    expect(await registered({ ...WEB, ...keys })).not.toHaveProperty('client_secret')
  })

  it('gives a client with keys a secret where HS256 needs one', async () => {
    const { registered } = registrationLab()
    const client = await registered({
      ...WEB,
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [publicJwk] },
      id_token_signed_response_alg: 'HS256',
    })
    expect(client.client_secret).toMatch(/^[\w-]{43}$/)
  })

  it('publishes an event without a secret or a token', async () => {
    const { registered, events } = registrationLab()
    const client = await registered({ ...WEB, client_name: 'Example', favourite_colour: 'red' })
    expect(events.at(-1)).toEqual({
      type: 'client.registered',
      client_id: client.client_id,
      client_name: 'Example',
      application_type: 'web',
      redirect_uris: ['https://client.example/cb'],
      grant_types: ['authorization_code'],
      token_endpoint_auth_method: 'client_secret_basic',
      access: 'open',
      ignored: ['favourite_colour'],
    })
    const written = JSON.stringify(events)
    expect(written).not.toContain(client.client_secret)
    expect(written).not.toContain(client.registration_access_token)
  })
})

describe('the endpoint', () => {
  it('is in the metadata where it is on, and nowhere else', async () => {
    const path = '/.well-known/openid-configuration'
    const on = registrationLab()
    expect(json(await on.get(path)).registration_endpoint).toBe(`${ISSUER}/register`)
    for (const off of [
      registrationLab({}, { registration: undefined }),
      registrationLab({}, { profile: 'reference' }),
      registrationLab({}, { stage: 'login-only' }),
      registrationLab({}, { stage: 'key-pair' }),
    ]) {
      const response = await off.get(path)
      if (response.status === 200) expect(json(response)).not.toHaveProperty('registration_endpoint')
      expect((await off.register(WEB)).status).toBe(404)
    }
  })

  it.each(['GET', 'PUT', 'DELETE'])('answers %s with 405', async method => {
    const { send } = registrationLab()
    const response = await send(method, '/register', [JSON_BODY], '{}')
    expectError(response, 405, 'invalid_request')
    expect(header(response, 'allow')).toBe('POST')
  })

  it('can be called by the scripts of any page', async () => {
    const { send, register } = registrationLab()
    const asked = [
      ['origin', 'https://spa.example'],
      ['access-control-request-method', 'PUT'],
    ] as const
    const preflight = await send('OPTIONS', '/register/abc', asked)
    expect([preflight.status, header(preflight, 'access-control-allow-methods')]).toEqual([
      204,
      'GET, POST, PUT, DELETE',
    ])
    const response = await register({}, [['origin', 'https://spa.example']])
    expect(header(response, 'access-control-allow-origin')).toBe('*')
  })

  it.each([
    ['no JSON', '{', [JSON_BODY]],
    ['no object', '[]', [JSON_BODY]],
    ['null', 'null', [JSON_BODY]],
    ['a form', 'redirect_uris=x', [['content-type', 'application/x-www-form-urlencoded']]],
    ['no content type', '{}', []],
  ] as const)('refuses %s', async (_, body, headers) => {
    const { send, events } = registrationLab()
    expectError(await send('POST', '/register', headers, body), 400, 'invalid_client_metadata')
    expect(events.at(-1)).toMatchObject({ type: 'registration.refused', status: 400, rule: 'RFC 7591 §3' })
  })

  it('refuses a body of more than 64 kB', async () => {
    const { register } = registrationLab()
    const body = { ...WEB, client_name: 'n'.repeat(64 * 1024) }
    expectError(await register(body), 413, 'invalid_request')
  })

  it('limits the registrations of a source', async () => {
    const { register, clock } = registrationLab({ rate: { attempts: 2, window: 60_000 } })
    expect((await register(WEB)).status).toBe(201)
    expectError(await register({}), 400, 'invalid_redirect_uri')
    const refused = await register(WEB)
    expectError(refused, 429, 'invalid_request')
    expect(header(refused, 'retry-after')).toBe('60')
    clock.now += 60_000
    expect((await register(WEB)).status).toBe(201)
  })

  it('answers 503 when it can keep no more clients, and works on', async () => {
    const registeredClients = createRegisteredClients({ limit: 1 })
    const { register, registered, manage } = registrationLab({}, {}, { registeredClients })
    const first = await registered(WEB)
    const refused = await register(WEB)
    expectError(refused, 503, 'temporarily_unavailable')
    expect(header(refused, 'retry-after')).toBe('60')
    expect((await manage(first, 'DELETE')).status).toBe(204)
    expect((await register(WEB)).status).toBe(201)
  })
})

describe('initial access tokens', () => {
  const TOKENS = ['first-token-0123456789', 'second-token-0123456789']

  it.each(TOKENS)('lets %s register', async token => {
    const { register, events } = registrationLab({ mode: 'token', tokens: TOKENS })
    expect((await register(WEB, [bearer(token)])).status).toBe(201)
    expect(events.at(-1)).toMatchObject({ access: 'token' })
    expect(JSON.stringify(events)).not.toContain(token)
  })

  it.each([
    ['no token', [], 401, undefined],
    ['another token', [bearer('third-token')], 401, 'invalid_token'],
    ['a part of a token', [bearer('first-token')], 401, 'invalid_token'],
    ['Basic', [basic('a', 'b')], 401, undefined],
    ['two tokens', [bearer(TOKENS[0]), bearer(TOKENS[1])], 400, 'invalid_request'],
  ] as const)('refuses %s', async (_, headers, status, error) => {
    const { register } = registrationLab({ mode: 'token', tokens: TOKENS })
    const response = await register(WEB, headers)
    expect(response.status).toBe(status)
    const challenge = header(response, 'www-authenticate')
    if (status === 401) expect(challenge).toMatch(/^Bearer realm="oauth-lab"/)
    // RFC 6750 §3.1: a request without a token gets no error code.
    if (error === undefined) expect(challenge).not.toContain('error=')
    else expect(json(response).error).toBe(error)
  })
})
