import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { membersOf } from '../../../../src/servers/authorization-server/registration/members.js'
import { rsaPair } from '../../../support/rsa-keys.js'
import { expectError, json } from '../support.js'
import { registrationLab, WEB } from './support.js'

const publicJwk = rsaPair(2).publicKey.export({ format: 'jwk' })
const privateJwk = rsaPair(2).privateKey.export({ format: 'jwk' })
const KEYS = { jwks: { keys: [publicJwk] } }
const IS_NATIVE = { application_type: 'native' }
const NATIVE = { application_type: 'native', token_endpoint_auth_method: 'none' }
const to = (...redirect_uris: readonly string[]) => ({ redirect_uris })

describe('metadata that the server supports', () => {
  it.each([
    ['https for a web client', to('https://client.example/cb?a=1'), { application_type: 'web' }],
    ['a loopback literal', { ...to('http://127.0.0.1/cb'), ...NATIVE }, {}],
    ['an IPv6 literal', { ...to('http://[::1]:8080/cb'), ...NATIVE }, {}],
    ['localhost for a native client', { ...to('http://localhost:3000/cb'), ...NATIVE }, {}],
    ['a private scheme', { ...to('com.example.app:/cb'), ...NATIVE }, {}],
    ['a claimed https address', { ...to('https://app.example/cb'), ...NATIVE }, {}],
    // MCP clients of older revisions leave application_type out.
    ['loopback without a type', to('http://localhost:3000/cb'), IS_NATIVE],
    ['both kinds without a type', to('https://a.example/', 'http://127.0.0.1/'), IS_NATIVE],
    ['no address for a service', { grant_types: ['client_credentials'] }, { response_types: [], ...to() }],
    ['implicit', { ...WEB, response_types: ['id_token token'] }, { grant_types: ['implicit'] }],
    ['another order', { ...WEB, response_types: ['token id_token'] }, { response_types: ['id_token token'] }],
    ['keys', { ...WEB, ...KEYS, token_endpoint_auth_method: 'private_key_jwt' }, KEYS],
    [
      'null and empty',
      { ...WEB, client_name: null, jwks_uri: '', contacts: null },
      { application_type: 'web' },
    ],
    ['a request_uri with a hash', { ...WEB, request_uris: ['https://c.example/o#x'] }, {}],
    ['logout', { ...WEB, backchannel_logout_uri: 'https://client.example/bye' }, {}],
  ])('%s', async (_, body, expected) => {
    const { registered } = registrationLab()
    expect(await registered(body)).toMatchObject(expected)
  })

  it.each([
    { scope: 'openid email' },
    { subject_type: 'pairwise' },
    { userinfo_signed_response_alg: 'RS256' },
    { id_token_signed_response_alg: 'HS256' },
    { jwks_uri: 'https://client.example/jwks' },
    { dpop_bound_access_tokens: true },
    { require_pushed_authorization_requests: true },
    { logo_uri: 'https://c.example/l.png', tos_uri: 'https://c.example/t', contacts: ['a@b.example'] },
  ])('returns %j as it was sent', async members => {
    const { registered } = registrationLab()
    expect(await registered({ ...WEB, ...members })).toMatchObject(members)
  })

  it('drops members that nobody knows, and those that the owner of the lab decides', async () => {
    const { register, registered } = registrationLab()
    const body = `{"redirect_uris":["https://c.example/"],"__proto__":{"client_name":"x"},"constructor":1,"toString":{},
      "consent":"granted","enabled":false,"require_pkce":false,"code_challenge_methods":["plain"],"client_secret":"mine","client_id":"demo"}`
    const client = json(await register(body))
    expect(Object.keys(client).sort()).toEqual(Object.keys(await registered(WEB)).sort())
    expect(client.client_id).not.toBe('demo')
    expect(client.client_secret).not.toBe('mine')
    expect(({} as Record<string, unknown>).client_name).toBeUndefined()
  })
})

it.each([
  ['a fragment', to('https://client.example/cb#x')],
  ['a script', to('javascript:alert(1)')],
  ['data', to('data:text/html,<script>alert(1)</script>')],
  ['a file', to('file:///etc/passwd')],
  ['http to another host', to('http://client.example/cb')],
  ['user information', to('https://user:pass@client.example/cb')],
  ['an address with a line break', to('https://client.example/\r\ncb')],
  ['no address', {}],
  ['an empty list', to()],
  ['a text', { redirect_uris: 'https://client.example/cb' }],
  ['an object', { redirect_uris: { length: 1, 0: 'https://client.example/' } }],
  ['one bad address of two', to('https://client.example/cb', 'javascript:x')],
  ['more than 100', to(...Array.from({ length: 101 }, (_, i) => `https://client.example/${i}`))],
  ['60 kB', to(`https://client.example/${'a'.repeat(60_000)}`)],
  ['loopback for a web client', { ...to('http://localhost/cb'), application_type: 'web' }],
  ['a private scheme for a web client', { ...to('com.example:/cb'), application_type: 'web' }],
  [
    'https on localhost for a web client with implicit',
    { ...to('https://localhost/cb'), application_type: 'web', response_types: ['id_token'] },
  ],
  ['https on localhost for a native client', { ...to('https://localhost/cb'), ...NATIVE }],
  ['a private scheme without a period', { ...to('myapp:/cb'), ...NATIVE }],
])('redirect addresses that the server refuses: %s', async (_, body) => {
  const { register, events } = registrationLab()
  expectError(await register(body), 400, 'invalid_redirect_uri')
  expect(events.at(-1)).toMatchObject({ type: 'registration.refused', error: 'invalid_redirect_uri' })
})

describe('metadata that the server refuses by name', () => {
  it.each([
    ['application_type', { application_type: 'desktop' }],
    ['backchannel_token_delivery_mode', { grant_types: ['urn:openid:params:grant-type:ciba'] }],
    ['grant_types', { grant_types: 'authorization_code' }],
    [
      'grant_types',
      { grant_types: ['authorization_code', 'client_credentials'], token_endpoint_auth_method: 'none' },
    ],
    ['response_types', { response_types: ['code', 'device'] }],
    ['response_types', { grant_types: ['authorization_code'], response_types: ['token'] }],
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'client_secret_digest' }],
    ['token_endpoint_auth_method', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'token_endpoint_auth_method',
      { token_endpoint_auth_method: 'tls_client_auth', tls_client_auth_subject_dn: 'CN=a' },
    ],
    ['token_endpoint_auth_signing_alg', { token_endpoint_auth_signing_alg: 'none' }],
    ['scope', { scope: 'openid admin' }],
    ['jwks', { jwks: { keys: [privateJwk] } }],
    ['jwks', { jwks: { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }],
    ['jwks', { jwks: { keys: [{ kty: 'RSA', n: 'AA', e: 7 }] } }],
    ['jwks', { jwks: [publicJwk] }],
    ['jwks', { jwks: { keys: Array.from({ length: 31 }, () => publicJwk) } }],
    ['jwks_uri', { jwks_uri: 'http://client.example/jwks' }],
    ['jwks_uri', { jwks_uri: 'https://client.example/jwks', ...KEYS }],
    ['subject_type', { subject_type: 'private' }],
    ['subject_type', { subject_type: 'pairwise', ...to('https://a.example/', 'https://b.example/') }],
    ['sector_identifier_uri', { subject_type: 'pairwise', sector_identifier_uri: 'http://a.example/' }],
    ['id_token_signed_response_alg', { id_token_signed_response_alg: 'none' }],
    [
      'id_token_signed_response_alg',
      { id_token_signed_response_alg: 'HS256', token_endpoint_auth_method: 'none' },
    ],
    ['id_token_encrypted_response_enc', { id_token_encrypted_response_enc: 'A128GCM' }],
    ['userinfo_encrypted_response_alg', { userinfo_encrypted_response_alg: 'RSA1_5' }],
    ['request_object_signing_alg', { request_object_signing_alg: 'HS512' }],
    ['request_uris', { request_uris: ['http://client.example/o'] }],
    ['default_max_age', { default_max_age: -1 }],
    ['require_auth_time', { require_auth_time: 'true' }],
    ['client_name', { client_name: { en: 'x' } }],
    ['client_name', { client_name: 'ann\u202egnp.exe' }],
    ['client_name', { client_name: 'a\u0000b' }],
    ['logo_uri', { logo_uri: 'javascript:alert(1)' }],
    ['tos_uri', { tos_uri: 'not a url' }],
    ['policy_uri', { policy_uri: 7 }],
    ['initiate_login_uri', { initiate_login_uri: 'http://client.example/login' }],
    ['post_logout_redirect_uris', { post_logout_redirect_uris: ['javascript:x'] }],
    ['backchannel_logout_uri', { backchannel_logout_uri: 'http://client.example/' }],
    ['frontchannel_logout_uri', { frontchannel_logout_uri: 'https://other.example/' }],
    ['dpop_bound_access_tokens', { dpop_bound_access_tokens: 1 }],
    ['authorization_details_types', { authorization_details_types: ['payment'] }],
    ['authorization_encrypted_response_alg', { authorization_encrypted_response_alg: 'ECDH-ES' }],
    ['backchannel_token_delivery_mode', { backchannel_token_delivery_mode: 'push' }],
    ['backchannel_user_code_parameter', { backchannel_user_code_parameter: true }],
    ['refresh_token_rotation', { refresh_token_rotation: 'off', token_endpoint_auth_method: 'none' }],
  ])('%s in %j', async (member, more) => {
    const { register } = registrationLab()
    const response = await register({ ...WEB, ...more })
    expectError(response, 400, 'invalid_client_metadata')
    expect(json(response).error_description).toContain(`${member}: `)
  })

  it('names every fault at once', async () => {
    const { register } = registrationLab()
    const response = await register({ redirect_uris: 1, scope: 2, client_name: 3 })
    expectError(response, 400, 'invalid_redirect_uri')
    for (const name of ['redirect_uris', 'scope', 'client_name']) {
      expect(json(response).error_description).toContain(`${name}: `)
    }
  })
})

describe('a profile of the server', () => {
  it.each([
    ['a secret', { ...WEB }],
    ['no authentication', { ...WEB, token_endpoint_auth_method: 'none' }],
    [
      'a grant',
      { ...WEB, grant_types: ['password'], ...KEYS, token_endpoint_auth_method: 'private_key_jwt' },
    ],
  ])('refuses what it has no place for: %s', async (_, body) => {
    const { register, events } = registrationLab({}, { profile: 'fapi2' })
    expectError(await register(body), 400, 'invalid_client_metadata')
    expect(String((events.at(-1) as { rule?: unknown }).rule)).toMatch(/^FAPI 2\.0/)
  })

  it('sets its switches for a client that fits', async () => {
    const { registered } = registrationLab({}, { profile: 'fapi2' })
    const key = { ...publicJwk, alg: 'PS256' }
    const client = await registered({
      ...WEB,
      jwks: { keys: [key] },
      token_endpoint_auth_method: 'private_key_jwt',
      dpop_bound_access_tokens: true,
      id_token_signed_response_alg: 'PS256',
    })
    expect(client).toMatchObject({ profile: 'fapi2', require_pushed_authorization_requests: true })
  })
})

describe('a member with a value of any type', () => {
  const names = Object.keys(
    membersOf({ grantTypes: [], authMethods: () => [], detailTypes: [], deliveryModes: [] }),
  )
  const wrong = [0, -1.5, true, [], {}, [null], [[]], [{}], 'x', 'x'.repeat(60_000), { length: 1, 0: 'x' }]

  it.each([...names, 'scope', 'software_statement'])('%s is refused, or registered', async name => {
    const { register } = registrationLab()
    const answers = await Promise.all(wrong.map(value => register({ ...WEB, [name]: value })))
    const refused = answers.filter(each => each.status !== 201)
    expect(refused.length).toBeGreaterThan(wrong.length / 2)
    for (const answer of refused) {
      expect(answer.status).toBe(400)
      expect(json(answer).error).toMatch(/^(invalid|unapproved)_/)
      expect(String(json(answer).error_description).length).toBeLessThan(1000)
    }
  })
})

describe('any body', () => {
  const names = fc.constantFrom(
    ...['redirect_uris', 'client_name', 'jwks', 'scope', 'grant_types', 'response_types', 'contacts'],
    ...['logo_uri', 'software_statement', '__proto__', 'subject_type', 'default_max_age', 'jwks_uri'],
    ...['frontchannel_logout_uri', 'sector_identifier_uri', 'token_endpoint_auth_method', 'request_uris'],
  )
  const bodies = fc
    .array(fc.tuple(names, fc.jsonValue({ maxDepth: 3 })))
    .map(
      pairs => `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`).join()}}`,
    )

  it('is registered, or refused with a code of RFC 7591', async () => {
    const { register } = registrationLab()
    await fc.assert(
      fc.asyncProperty(bodies, async body => {
        const response = await register(body)
        if (response.status === 201) return
        expect(response.status).toBe(400)
        expect(json(response).error).toMatch(
          /^(invalid_(redirect_uri|client_metadata|software_statement)|unapproved_software_statement)$/,
        )
      }),
      { numRuns: 200 },
    )
  })

  it('may be nested as deep as 64 kB allow', async () => {
    const { register } = registrationLab()
    const deep = `${'['.repeat(30_000)}${']'.repeat(30_000)}`
    expectError(await register(`{"redirect_uris":${deep}}`), 400, 'invalid_redirect_uri')
    expectError(await register(`{"jwks":{"keys":${deep}}}`), 400, 'invalid_client_metadata')
    expect((await register(`{"redirect_uris":["https://a.example/"],"x":${deep}}`)).status).toBe(201)
    for (const [name, value] of [
      ['application_type', deep],
      ['grant_types', `[${deep}]`],
      ['response_types', `[${deep}]`],
      ['scope', deep],
      ['client_name#de', deep],
    ]) {
      const body = `{"redirect_uris":["https://a.example/"],"${name}":${value}}`
      expectError(await register(body), 400, 'invalid_client_metadata')
    }
  })
})

describe('metadata in several languages', () => {
  const NAMES = {
    client_name: 'My Client',
    'client_name#de': 'Mein Programm',
    'client_name#ja-Jpan-JP': '\u30AF\u30E9\u30A4\u30A2\u30F3\u30C8\u540D',
    'policy_uri#de': 'https://client.example/daten',
  }

  it('is kept, and comes back as it was sent (RFC 7591 §2.2)', async () => {
    const { registered, manage } = registrationLab()
    const client = await registered({ ...WEB, ...NAMES })
    expect(client).toMatchObject(NAMES)
    expect(json(await manage(client, 'GET'))).toMatchObject(NAMES)
  })

  it.each([
    ['a text that is none', { 'client_name#de': 7 }, 'client_name#de'],
    ['a text that turns around', { 'client_name#de': 'a\u202eb' }, 'client_name#de'],
    ['an address that is none', { 'logo_uri#de': 'javascript:alert(1)' }, 'logo_uri#de'],
    [
      'too many languages',
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`client_name#de-x-${i}`, 'a'])),
      '101 values with a language tag',
    ],
  ])('refuses %s', async (_what, members, named) => {
    const { register } = registrationLab()
    const answer = await register({ ...WEB, ...members })
    expectError(answer, 400, 'invalid_client_metadata')
    expect(json(answer).error_description).toContain(named)
  })

  it('drops a member that people do not read', async () => {
    const { registered } = registrationLab()
    expect(await registered({ ...WEB, 'software_id#de': 'a', 'client_name#de_AT': 'b' })).not.toHaveProperty([
      'software_id#de',
    ])
  })

  it('names the client on the page in the language of ui_locales', async () => {
    const { registered, send } = registrationLab()
    const { client_id } = await registered({ ...WEB, ...NAMES })
    const shown = async (locales: string) => {
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: String(client_id),
        redirect_uri: 'https://client.example/cb',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        ui_locales: locales,
      })
      const { body } = await send('GET', `/authorization?${query}`)
      return Buffer.from(body).toString()
    }
    expect(await shown('fr de-AT en')).toMatch(
      /<strong>Mein Programm<\/strong>[\s\S]*href="https:\/\/client\.example\/daten"/,
    )
    expect(await shown('fr')).toContain('<strong>My Client</strong>')
  })
})
