import { createHash } from 'node:crypto'
import { expect } from 'vitest'
import type { NewEvent } from '../../../src/protocol/events.js'
import { encodeForm } from '../../../src/protocol/http/form.js'
import {
  bytes,
  type Header,
  type HttpResponse,
  header,
  headerValues,
  text,
} from '../../../src/protocol/http/message.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { fixedKeyring, loadSigningKey } from '../../../src/protocol/tokens/keys.js'
import type { DefendedSettings } from '../../../src/servers/authorization-server/defences.js'
import { GRANTS, type MakeGrant } from '../../../src/servers/authorization-server/grants/index.js'
import type { Entitlement, Family } from '../../../src/servers/authorization-server/model.js'
import { createAuthorizationServer } from '../../../src/servers/authorization-server/server.js'
import type {
  AuthorizationServerPorts,
  AuthorizationServerSettings,
} from '../../../src/servers/authorization-server/settings.js'
import { recordingSite } from '../../support/ask.js'
import { rsaPem } from '../../support/rsa-keys.js'

export const ISSUER = 'https://localhost:8443'
export const CALLBACK = 'http://127.0.0.1/callback'
export const SECRET = 'demo-secret-0123456789abcdef0123456789'
export const VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
export const CHALLENGE = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'
export const signingKey = await loadSigningKey(rsaPem(1))

export const client = (id: string, more: Partial<Client> = {}): Client => ({
  client_id: id,
  redirect_uris: [CALLBACK, 'https://client.example/cb?tenant=a'],
  enabled: true,
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  require_pkce: false,
  code_challenge_methods: ['S256'],
  token_profile: 'jwt',
  ...more,
})

export const settings: AuthorizationServerSettings = {
  issuer: ISSUER,
  stage: 'published-keys',
  profile: 'standard',
  faults: [],
  clients: [
    client('demo', {
      client_secret: SECRET,
      client_name: 'Demo <client>',
      post_logout_redirect_uris: ['https://client.example/bye?tenant=a', 'http://127.0.0.1/bye'],
    }),
    client('other', { client_secret: 'other-secret' }),
    client('dash-id', { client_secret: 'a-b+c%2D:d/ e' }),
    client('demo-public'),
    client('demo-spa', {
      require_pkce: true,
      response_types: ['code', 'token', 'id_token', 'id_token token'],
    }),
    client('plain', { code_challenge_methods: ['S256', 'plain'] }),
    client('single', { redirect_uris: ['https://client.example/only'], client_secret: 'single-secret' }),
    client('narrow', { client_secret: 'narrow-secret', allowed_scopes: ['records:read'] }),
    client('no-default', { allowed_scopes: ['openid'] }),
    client('basic-only', { client_secret: 'x', token_endpoint_auth_method: 'client_secret_basic' }),
    client('post-only', { client_secret: 'x', token_endpoint_auth_method: 'client_secret_post' }),
    client('signer', { jwks: { keys: [] }, token_endpoint_auth_method: 'private_key_jwt' }),
    client('implicit-only', { response_types: ['token'] }),
    client('service', { client_secret: 'service-secret', grant_types: ['client_credentials'] }),
    client('rfc9068', { token_profile: 'rfc9068' }),
    client('for-resource', { token_profile: 'rfc9068', default_resource: true }),
    client('demo-disabled', { client_secret: 'disabled-secret', enabled: false }),
  ],
  users: [
    { username: 'alice', password: 'wonderland', claims: { name: 'Alice', email: 'alice@example.com' } },
    { username: 'bob', password: 'builder', claims: {} },
  ],
  scopes: {
    openid: 'Know who you are',
    profile: 'See your profile',
    email: 'See your email address',
    offline_access: 'Stay connected',
    'records:read': 'Read records',
    'records:write': 'Change <records>',
  },
  scopeClaims: {},
  defaultScope: 'records:read',
  lifetimes: { code: 600_000, accessToken: 3_600_000, refreshToken: 2_592_000_000, login: 28_800_000 },
  rateLimits: { login: 'off', passwordGrant: 'off', clientSecret: 'off' },
  responseTypeErrors: 'page',
  assertionIssuers: async () => [],
  dpopNonceRequired: false,
  resources: 'any',
  protectedResources: () => [],
  introspectors: [],
}

/** Bytes from a counter: they differ in every call, and repeat in every run. */
export function countedRandom(): (length: number) => Uint8Array {
  let calls = 0
  return length => {
    const seed = createHash('sha512').update(String(calls++)).digest()
    return Uint8Array.from({ length }, (_, i) => seed[i % seed.length]!)
  }
}

/** Bytes that begin with the number of the call, for tests that fill a store. */
export function numberedRandom(): (length: number) => Uint8Array {
  let calls = 0
  return length => {
    const bytes = Buffer.alloc(length)
    bytes.writeUInt32BE(calls++)
    return bytes
  }
}

export type Parameters = Readonly<Record<string, string | undefined>>

export const codeRequest = (more: Parameters = {}): Parameters => ({
  response_type: 'code',
  client_id: 'demo',
  redirect_uri: CALLBACK,
  ...more,
})

export const query = (parameters: Parameters) => encodeForm(Object.entries(parameters))

export const basic = (id: string, secret: string): Header => [
  'authorization',
  `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
]

export const FORM: Header = ['content-type', 'application/x-www-form-urlencoded']

export const json = (response: HttpResponse) => JSON.parse(text(response.body)) as Record<string, unknown>

export const location = (response: HttpResponse) => new URL(header(response, 'location') ?? 'none:')

/** Parameters of a redirect, as an object. */
export const landed = (response: HttpResponse) => Object.fromEntries(location(response).searchParams)

/** A hidden or text field of a page. */
export const field = (response: HttpResponse, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text(response.body))?.[1]

export const claimsOf = (token: unknown) => decodeJwt(String(token)).claims

/** Checks an error response of a client endpoint: JSON, not cached, with a description. */
export function expectError(response: HttpResponse, status: number, error: string) {
  expect([response.status, json(response).error]).toEqual([status, error])
  expect(header(response, 'content-type')).toBe('application/json;charset=UTF-8')
  expect(header(response, 'cache-control')).toBe('no-store')
  expect(header(response, 'pragma')).toBe('no-cache')
  expect(json(response).error_description).toMatch(/^[\x20\x21\x23-\x5b\x5d-\x7e]+$/)
}

/** An entitlement of alice as the client demo. */
export const entitlement = (family: Family): Entitlement => ({
  client: client('demo', { client_secret: SECRET }),
  grantType: 'authorization_code',
  subject: 'alice',
  scope: [],
  resources: [],
  binding: { kind: 'bearer' },
  family,
})

/** A server with a clock that stands still, and short ways to talk to it. */
export function lab(
  more: Partial<DefendedSettings> = {},
  keyring = fixedKeyring(signingKey),
  ports: Partial<AuthorizationServerPorts> = {},
  grants: readonly MakeGrant[] = GRANTS,
) {
  const events: NewEvent[] = []
  const clock = { now: Date.UTC(2030, 0, 1) + 123 }
  const server = createAuthorizationServer(
    { ...settings, ...more },
    {
      now: () => clock.now,
      random: countedRandom(),
      keyring,
      ...ports,
    },
    grants,
  )
  const site = recordingSite(server, events)
  const send = (
    method: string,
    target: string,
    headers: readonly Header[] = [],
    body: string | Uint8Array = '',
  ) =>
    site.handle({
      method,
      url: `${ISSUER}${target}`,
      headers,
      body: typeof body === 'string' ? bytes(body) : body,
    })
  const get = (target: string, headers: readonly Header[] = []) => send('GET', target, headers)
  const post = (target: string, form: Parameters | string, headers: readonly Header[] = []) =>
    send('POST', target, [FORM, ...headers], typeof form === 'string' ? form : query(form))
  const authorize = (parameters: Parameters) => get(`/authorization?${query(parameters)}`)

  /** Opens the form of a request. */
  async function openForm(parameters: Parameters) {
    const page = await authorize(parameters)
    const cookies: Header[] = headerValues(page, 'set-cookie').map(each => ['cookie', each.split(';')[0]!])
    return { page, cookies, csrf: field(page, 'csrf') }
  }

  /** Opens the form and sends it. */
  async function login(parameters: Parameters, fields: Parameters = {}) {
    const { cookies, csrf } = await openForm(parameters)
    const form = { username: 'alice', password: 'wonderland', csrf, ...fields }
    return post(`/authorization?${query(parameters)}`, form, cookies)
  }

  const newCode = async (more: Parameters = {}) => landed(await login(codeRequest(more))).code ?? ''
  const token = (form: Parameters | string, headers: readonly Header[] = [basic('demo', SECRET)]) =>
    post('/token', form, headers)
  const redeem = (code: string, form: Parameters = {}, headers?: readonly Header[]) =>
    token({ grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...form }, headers)
  const accessToken = async (more: Parameters = {}) =>
    String(json(await redeem(await newCode(more))).access_token)
  const types = () => events.map(event => event.type)

  return {
    ...{
      events,
      clock,
      handle: site.handle,
      send,
      get,
      post,
      authorize,
      openForm,
      login,
      newCode,
      token,
      redeem,
      accessToken,
      types,
    },
  }
}
