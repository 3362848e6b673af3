import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findLabFile, loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { labFileJsonSchema } from '../../../src/lab/lab-file/lab-file.js'
import { labFileSchema } from '../../../src/lab/schema/lab-file-schema.js'
import { UsageError } from '../../../src/protocol/errors.js'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'oauth-lab-config-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function load(content: string, name = 'lab.yaml') {
  const file = join(folder, name)
  writeFileSync(file, content)
  return loadLabConfig(file)
}

/** The lines of the error that a lab file gives, its folder left out. */
async function complaint(content: string, name?: string): Promise<string[]> {
  const error = await load(content, name).then(
    () => undefined,
    error => error,
  )
  expect(error).toBeInstanceOf(UsageError)
  const { message, hints } = error as UsageError
  return [message, ...hints].map(line => line.replaceAll(`${folder}/`, ''))
}

describe('the built-in lab file', () => {
  const text = readFileSync(new URL('../../../fixtures/lab.json', import.meta.url), 'utf8')

  it('passes the schema that people’s files pass, and all checks', async () => {
    expect(labFileSchema.safeParse(JSON.parse(text)).error).toBeUndefined()
    expect((await load(text, 'copy.json')).clients).toEqual((await loadLabConfig(null)).clients)
  })

  it('has the clients, users and scopes that documents name', async () => {
    const { clients, users, scopes, defaultScope, file, lifetimes } = await loadLabConfig(null)
    const kind = (id: string) => {
      const found = clients.find(each => each.client_id === id)
      return [found?.client_secret !== undefined, found?.require_pkce, found?.enabled]
    }
    expect(clients.map(each => each.client_id)).toEqual([
      ...['demo', 'course', 'demo-spa', 'demo-native', 'demo-legacy'],
      ...['demo-service', 'demo-public', 'demo-web', 'demo-disabled'],
    ])
    expect(kind('demo')).toEqual([true, false, true])
    expect(kind('demo-spa')).toEqual([false, true, true])
    expect(kind('demo-public')).toEqual([false, false, true])
    expect(kind('demo-disabled')).toEqual([true, false, false])
    expect(clients[0]?.client_secret).toBe('demo-secret-0123456789abcdef0123456789')
    const loopback = ['127.0.0.1', '[::1]', 'localhost'].map(host => `http://${host}/callback`)
    expect(clients[0]?.redirect_uris).toEqual(loopback)
    expect(users.map(each => [each.username, each.password])).toEqual([
      ['alice', 'wonderland'],
      ['bob', 'builder'],
      ['carol', 'christmas'],
    ])
    expect(Object.keys(scopes).join(' ')).toBe(
      'openid profile email address phone offline_access records:read records:write',
    )
    expect(defaultScope).toBe('records:read')
    expect(file).toBeNull()
    const long = { refreshToken: 2_592_000_000, login: 28_800_000 }
    expect(lifetimes).toEqual({ code: 600_000, accessToken: 3_600_000, ...long })
  })
})

describe('a lab file', () => {
  it('replaces lists, merges maps and leaves the rest as it was', async () => {
    const config = await load(`
lifetimes: { code: 90s }
scopes: { "notes:read": Read notes }
clients: [{ client_id: web, redirect_uris: ["https://client.example/cb?tenant=a"] }]
`)
    expect(config.clients).toHaveLength(1)
    expect(config.users).toHaveLength(3)
    expect(config.lifetimes).toMatchObject({ code: 90_000, accessToken: 3_600_000 })
    expect(Object.keys(config.scopes)).toContain('openid')
    expect(config.scopes['notes:read']).toBe('Read notes')
    expect(config.given).toEqual(['lifetimes', 'scopes', 'clients'])
  })

  it('may be JSON, indented with tabs, with a byte order mark', async () => {
    const json = '\ufeff{\n\t"clients": [\n\t\t{ "client_id": "web", "client_secret": "s" }\n\t]\n}'
    const { clients } = await load(json, 'lab.json')
    expect(clients.map(each => each.client_id)).toEqual(['web'])
  })

  it('may be empty', async () => {
    expect((await load('')).clients).toHaveLength(9)
    expect((await load('# nothing yet\n')).clients).toHaveLength(9)
  })

  it('takes every field of the documented example', async () => {
    const config = await load(`
stage: published-keys
profile: standard
response_type_errors: redirect
signing_secret: "0123456789abcdef0123456789abcdef"
signing_key_file: key.pem
lifetimes: { code: 10m, access_token: 1h, refresh_token: 30d, login: 8h }
rate_limit: { login: 10/1m, password_grant: off }
compression: false
scopes: { "records:read": Read records, "records:write": Change records }
default_scope: "records:read"
clients:
  - client_id: web
    client_secret: s3cr3t
    redirect_uris: ["https://client.example/cb?tenant=a"]
    enabled: true
    allowed_scopes: ["records:read"]
    grant_types: [authorization_code, refresh_token]
    response_types: [code]
    require_pkce: false
    token_endpoint_auth_method: client_secret_basic
    token_profile: jwt
  - { client_id: signer, jwks: { keys: [{ kty: EC, crv: P-256, x: a, y: b }] }, grant_types: [client_credentials] }
users:
  - { username: alice, password: wonderland, claims: { name: Alice, email: alice@example.com } }
  - { username: bob, password_hash: "scrypt$16384$8$1$c2FsdA==$aGFzaA==" }
assertion_issuers: [{ issuer: "https://idp.example", certificate_file: idp.pem, jwks_file: idp.json }]
resource: { audiences: [demo], routes: [{ path: /records, methods: [GET], scope: "records:read" }] }
cluster: { api_audiences: [], max_token_expiration: 48h, public_discovery: true, namespaces: {}, tokens: [] }
dns: { key: k, email: a@example.com, token: t, rate_limit: 1200/5m, zones: [] }
`)
    expect(config.responseTypeErrors).toBe('redirect')
    expect(config.signingKeyFile).toBe(join(folder, 'key.pem'))
    expect(config.clients[1]).toMatchObject({ client_id: 'signer', require_pkce: false, response_types: [] })
    const hash = 'scrypt$16384$8$1$c2FsdA==$aGFzaA=='
    expect(config.users[1]).toEqual({ username: 'bob', password_hash: hash, claims: {} })
  })

  const uris = 'redirect_uris: ["https://a.example/"]'
  it.each([
    [uris, ['authorization_code'], ['code'], true],
    ['client_secret: s', ['authorization_code'], ['code'], false],
    [`${uris}, response_types: [token]`, ['implicit'], ['token'], true],
    [`${uris}, grant_types: [implicit]`, ['implicit'], ['token', 'id_token', 'id_token token'], true],
    ['client_secret: s, grant_types: [client_credentials]', ['client_credentials'], [], false],
  ])('completes the client with %s', async (members, grants, types, pkce) => {
    const [found] = (await load(`clients: [{ client_id: a, ${members} }]`)).clients
    const usual = { enabled: true, code_challenge_methods: ['S256'], token_profile: 'jwt' }
    const completed = { grant_types: grants, response_types: types, require_pkce: pkce }
    expect(found).toMatchObject({ ...usual, ...completed })
  })
})

describe('a wrong lab file', () => {
  it.each(
    Object.entries({
      'clients: [': 'this is neither YAML nor JSON',
      'a: 1\na: 2': 'this is neither YAML nor JSON: Map keys must be unique',
      '- a list': 'lab.yaml: ["a list"] is not a map of fields',
      'just text': 'lab.yaml: "just text" is not a map of fields',
      '\n\nstaeg: key-pair':
        'staeg: there is no such field\nlab.yaml:3:1: staeg: key-pair\nDid you mean stage?',
      'stage: published_keys': 'Did you mean published-keys?',
      'stage: 5': 'stage: 5 is not allowed; allowed: login-only, shared-secret, key-pair,',
      'compression: yes': 'compression: "yes" is not true or false',
      'lifetimes: { code: 10 }': 'lifetimes.code: 10 is not a text',
      'lifetimes: { code: 1w }': 'lifetimes.code: "1w": write a duration as 90s, 15m, 1h or 7d',
      'rate_limit: { login: ten }': 'rate_limit.login: "ten": write a rate as 10/1m (ten a minute), or off',
      'signing_secret: short': 'signing_secret: the value: a signing secret has at least 32 bytes',
      'scopes: { "a b": x }': 'a scope is one word of printable ASCII',
      'default_scope: records:raed': 'default_scope: the scope "records:raed" is not one of this',
      'clients: web': 'clients: "web" is not a list',
      'clients: [{}]': 'clients[0].client_id: it is missing; it is a text',
      'clients:\n- client_id: a\n  redirect_uri: x': 'clients[0].redirect_uri: there is no such field',
      'clients: [{ client_id: "é" }]': 'clients[0].client_id: "é": use printable ASCII characters',
      'clients: [{ client_id: a }]': 'a public client needs a registered redirect_uri (RFC 6749 §3.1.2.2)',
      'clients:\n- client_id: a\n  client_secret: s\n- client_id: a\n  client_secret: s':
        'clients[1].client_id: "a" occurs twice; it must be unique',
      'clients:\n- client_id: a\n  redirect_uris:\n  - https://a.example/cb#x':
        'clients[0].redirect_uris[0]: "https://a.example/cb#x": it has a fragment',
      'clients:\n- client_id: a\n  redirect_uris:\n  - https://a.example/cb\n  - http://a.example/cb':
        'clients[0].redirect_uris[1]: "http://a.example/cb": plain http is only for 127.0.0.1, [::1] and localhost; use https for any other host (RFC 9700 §2.6)',
      'clients:\n- client_id: a\n  redirect_uris: [https://a.example/]\n- client_id: alice\n  redirect_uris: [https://a.example/]':
        'clients[1].client_id: "alice" is a username too; a token of this client would name that user as its subject (RFC 9700 §4.15.1)',
      'users:\n- { username: demo, password: x }':
        'users[0].username: "demo" is a client_id too; a token of this client would name that user as its subject (RFC 9700 §4.15.1)',
      'authorization_details_types: { pay: { properties: { sum: { type: string, items: { type: string } } } } }':
        'authorization_details_types.pay.properties.sum.items: items is for array, not for string',
      'authorization_details_types: { pay: { required: [sum, actions] } }':
        'authorization_details_types.pay.required[0]: there is no member "sum"',
      'authorization_details_types: { pay: { properties: { type: { type: string } } } }':
        'every detail has its type already (RFC 9396 §2)',
      'authorization_details_types: { pay: { properties: { sum: { type: text } } } }':
        'allowed: string, number, integer, boolean, array, object',
      'resource: { routes: [{ path: /pay, authorization_details: payment_initation }] }':
        'Did you mean payment_initiation?',
      "request_uri_hosts: ['https://a.example/']": 'write a host in lower case',
      'users: [{ username: a }]': 'users[0]: "a" needs one of password and password_hash',
      'users: [{ username: a, password: 1234 }]': 'users[0].password: the value is not a text',
      'users: [{ username: a, password_hash: md5 }]':
        'users[0].password_hash: the value: write a password hash as',
      'users: [{username: a, password: b}, {username: a, password: b}]': '"a" occurs twice',
      'assertion_issuers: [{ issuer: x }]': 'it needs a certificate_file, a jwks_file or both',
      'resource: { routes: [{ path: x }] }': 'resource.routes[0].path: "x": a path begins with /',
      'resource: { routes: [{ path: /mcp }] }':
        'resource.routes[0].path: "/mcp": /mcp is the MCP server; name another path',
      'cluster: { max_token_expiration: 2 }': 'cluster.max_token_expiration: 2 is not a text',
      'cluster: { max_token_expiration: 30m }': 'use at least 1h, as the API server does',
      'cluster: { namespaces: { Lab: {} } }': 'a name has lower-case letters',
      'cluster: { tokens: [{ token: "a b", username: x }] }':
        'a bearer token is printable ASCII without spaces',
      'dns: { zones: [{ id: 1, name: a }] }': 'dns.zones[0].id: 1 is not a text',
    }),
  )('%j is refused', async (content, expected) => {
    expect((await complaint(content)).join('\n')).toContain(expected)
  })

  it.each(
    Object.entries({
      'redirect_uris: ["javascript:alert(1)"]': 'is not an address to return to',
      'redirect_uris: [/cb]': 'it is not an absolute URI',
      'client_secret: s, allowed_scopes: ["record:read"]': 'Did you mean records:read?',
      'client_secret: s, authorization_details_types: [payment]':
        'the type "payment" is not one of this server; known: payment_initiation, account_information',
      'client_secret: s, grant_types: [authorisation_code]': 'Did you mean authorization_code?',
      'client_secret: s, grant_types: [password], response_types: [code]':
        '"code" needs the grant type authorization_code (RFC 7591 §2.1)',
      'grant_types: [client_credentials]': 'client_credentials is for confidential clients',
      'client_secret: s, token_endpoint_auth_method: none': 'none is for clients without client_secret',
      'client_secret: s, token_endpoint_auth_method: private_key_jwt':
        'private_key_jwt needs jwks or jwks_uri with the public key',
      'id_token_signed_response_alg: RS265':
        '"RS265" is not allowed; allowed: RS256, PS256, ES256, EdDSA, Ed25519, HS256',
      'request_object_signing_alg: ES256': 'ES256 needs jwks or jwks_uri with the public key',
      'client_secret: short, request_object_signing_alg: HS256':
        'HS256 needs a client_secret of 32 bytes or more',
      'request_object_signing_alg: none, require_signed_request_object: true':
        'request_object_signing_alg none is no signature',
      'require_signed_request_object: true':
        'the client needs jwks, jwks_uri or a client_secret of 32 bytes or more to sign request objects',
      'request_object_encryption_alg: dir': 'dir needs a client_secret',
      'request_object_encryption_enc: A128GCM': 'it needs request_object_encryption_alg beside it',
      "request_uris: ['http://a.example/r']": 'a request_uri is an https address',
      'client_secret: short, userinfo_signed_response_alg: HS256':
        'HS256 needs a client_secret of 32 bytes or more (RFC 7518 §3.2)',
      'client_secret: s, id_token_encrypted_response_enc: A256GCM':
        'it needs id_token_encrypted_response_alg beside it',
      'client_secret: s, introspection_encrypted_response_alg: RSA-OAEP':
        'RSA-OAEP needs jwks or jwks_uri with a public key to encrypt to',
      'jwks: { keys: [{ kty: RSA, use: sig }] }, id_token_encrypted_response_alg: RSA-OAEP':
        'no key of jwks can be used for RSA-OAEP: it needs a key of type RSA',
      'redirect_uris: ["https://a.example/"], id_token_encrypted_response_alg: dir':
        'dir needs a client_secret',
      'client_secret: s, jwks_uri: "http://a.example/"': 'is no https address',
      'jwks: { keys: [] }, jwks_uri: "https://a.example/"': 'a client has jwks or jwks_uri, not both',
      'jwks: { keys: [{ kty: RSA, d: x }] }': 'this is a private key',
      'jwks: { keys: [{ kty: oct, k: x }] }': 'allowed: RSA, EC, OKP',
    }),
  )('a client with %s is refused', async (members, expected) => {
    expect((await complaint(`clients: [{ client_id: a, ${members} }]`)).join('\n')).toContain(expected)
  })

  it('is reported with every problem at once', async () => {
    const lines = await complaint('stage: x\nprofile: y\nstaeg: z')
    expect(lines.map(line => line.split(':').slice(0, 3).join(':'))).toEqual([
      expect.stringMatching(/^stage: "x" is not allowed; allowed/),
      'lab.yaml:1:1',
      'Every field:  oauth-lab config schema',
      'lab.yaml:2: profile',
      'lab.yaml:3: staeg',
    ])
  })

  it.each([
    ['clients:\n  - client_id: web\n    client_secert: hush', 'lab.yaml:3:5: client_secert: …'],
    ['users: [{ username: a, "pasword": hush }]', 'lab.yaml:1:24: users: [{ username: a, "pasword": … }]'],
    ['clients:\n- client_id: a\n  redirect_uris:\n  - /cb', 'lab.yaml:4:5: - /cb'],
    ['client:\n- client_id: web', 'lab.yaml:1:1: client:'],
    ['clients: [\n  { client_id: web\n\n', 'lab.yaml:2:19: { client_id: web'],
    ['stage: "\u001b[31m"', 'lab.yaml:1:1: stage: "\u001b[31m"'],
    [`stage: ${'x'.repeat(200)}`, `lab.yaml:1:1: stage: ${'x'.repeat(92)}…`],
  ])(
    '%j: the error has file, line and column, and the line itself without secrets',
    async (content, where) => {
      const lines = await complaint(content)
      expect(lines[1]).toBe(where)
      expect(lines.join()).not.toContain('hush')
    },
  )

  it('does not expand aliases without end', async () => {
    const bomb = ['a: &a [x,x,x,x,x,x,x,x,x]']
    for (const [i, name] of [...'bcdefgh'].entries()) {
      const before = 'abcdefgh'[i]
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(',')}]`)
    }
    expect((await complaint(bomb.join('\n')))[0]).toMatch(/alias/i)
  })

  it('is named when it cannot be read', async () => {
    await expect(loadLabConfig(join(folder, 'nope.yaml'))).rejects.toThrow('there is no such file')
    await expect(loadLabConfig(folder)).rejects.toThrow('it is a folder')
  })
})

it('finds ./oauth-lab.yaml when no file is named', () => {
  expect(findLabFile(undefined, folder)).toBeNull()
  writeFileSync(join(folder, 'oauth-lab.yaml'), '')
  expect(findLabFile(undefined, folder)).toBe(join(folder, 'oauth-lab.yaml'))
  expect(findLabFile('other.yaml', folder)).toBe(join(folder, 'other.yaml'))
})

it('describes itself as JSON Schema with every field of the documentation', () => {
  const schema = labFileJsonSchema() as { properties: Record<string, unknown>; additionalProperties: boolean }
  expect(schema.additionalProperties).toBe(false)
  expect(Object.keys(schema.properties)).toEqual(Object.keys(labFileSchema.shape))
})

describe('a large lab file of a program', () => {
  const users = (count: number, more: object = {}) =>
    Array.from({ length: count }, (_, i) => ({ username: `user-${i}`, password: 'x'.repeat(40), ...more }))

  it('is read as a small one is: its values, its mistakes, and no key twice', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'oauth-lab-test-'))
    const file = join(folder, 'lab.json')
    try {
      const text = JSON.stringify({ users: users(2_000) })
      expect(text.length).toBeGreaterThan(100_000)
      writeFileSync(file, `${text}\n`)
      expect((await loadLabConfig(file)).users).toHaveLength(2_000)
      writeFileSync(file, JSON.stringify({ users: [...users(2_000), ...users(1, { passwort: 'x' })] }))
      await expect(loadLabConfig(file)).rejects.toThrow('passwort')
      writeFileSync(file, text.replace('{"users"', '{"users":[],"users"'))
      await expect(loadLabConfig(file)).rejects.toThrow('neither YAML nor JSON')
    } finally {
      rmSync(folder, { recursive: true })
    }
  }, 60_000)
})
