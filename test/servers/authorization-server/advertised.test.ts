import { createSecretKey } from 'node:crypto'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { type Header, type HttpResponse, header, text } from '../../../src/protocol/http/message.js'
import type { ContentEncryption, ResponseKind } from '../../../src/protocol/oauth/algorithms.js'
import { CIBA_GRANT_TYPE } from '../../../src/protocol/oauth/answers.js'
import type { Client } from '../../../src/protocol/oauth/client.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../../src/protocol/oauth/totp.js'
import { contentKey, encryptText } from '../../../src/protocol/tokens/encryption.js'
import { makeHmacJwt, part } from '../../protocol/tokens/jwt-maker.js'
import { rsaPair } from '../../support/rsa-keys.js'
import { browser } from './browser.js'
import { headerOf } from './response-kinds.js'
import {
  basic,
  CALLBACK,
  CHALLENGE,
  claimsOf,
  client,
  field,
  ISSUER,
  json,
  lab,
  location,
  type Parameters,
  query,
  SECRET,
  VERIFIER,
} from './support.js'

// Every member of the metadata document has a test here. A new member fails until it gets one.

const { clients: builtIn, users, scopes, defaultScope } = await loadLabConfig(null)

/** A secret that is long enough for every HMAC algorithm. */
const LONG_SECRET = 's'.repeat(64)

/** Returns a key pair for a signature algorithm; for HMAC the secret of a client. */
async function keyFor(alg: string) {
  if (alg.startsWith('HS')) return { privateKey: createSecretKey(LONG_SECRET, 'utf8'), jwk: undefined }
  const { privateKey, publicKey } = /^[RP]S/.test(alg)
    ? rsaPair(1)
    : await generateKeyPair(alg, { extractable: true })
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: alg, alg } }
}

const algorithms = json(await lab().get('/.well-known/openid-configuration'))
  .token_endpoint_auth_signing_alg_values_supported as string[]
const keys = new Map(await Promise.all(algorithms.map(async alg => [alg, await keyFor(alg)] as const)))

const jwks = { keys: [...keys.values()].flatMap(({ jwk }) => (jwk === undefined ? [] : [jwk])) }
const extra: readonly Client[] = [
  client('secret-signer', {
    client_secret: LONG_SECRET,
    grant_types: ['client_credentials'],
    token_endpoint_auth_method: 'client_secret_jwt',
  }),
  client('framed', { client_secret: SECRET, frontchannel_logout_uri: 'https://client.example/bye' }),
  client('plain', { code_challenge_methods: ['S256', 'plain'], client_secret: SECRET }),
  client('pairwise', { client_secret: SECRET, subject_type: 'pairwise', redirect_uris: [CALLBACK] }),
  client('signer', {
    grant_types: ['client_credentials'],
    jwks,
    token_endpoint_auth_method: 'private_key_jwt',
  }),
  client('request-signer', { jwks }),
  client('backchannel-signer', {
    client_secret: SECRET,
    grant_types: [CIBA_GRANT_TYPE],
    backchannel_token_delivery_mode: 'poll',
    jwks,
  }),
]
const made = lab({ clients: [...builtIn, ...extra], users, scopes, defaultScope })
const advertised = json(await made.get('/.well-known/openid-configuration'))
const list = (member: string) => advertised[member] as string[]
const path = (member: string) => String(advertised[member]).slice(ISSUER.length)
const now = Math.floor(made.clock.now / 1000)
let used = 0

const asked = (more: Parameters = {}): Parameters => ({
  response_type: 'code',
  client_id: 'demo',
  redirect_uri: CALLBACK,
  scope: 'openid records:read',
  state: 's',
  nonce: 'n',
  ...more,
})
const DIR = { alg: 'dir', enc: 'A128GCM' } as const
const hmacObject = () => makeHmacJwt(SECRET, {}, asked())

/** Sends a request object, and returns the event of its acceptance. */
async function seenObject(request: string, outside: Parameters = { client_id: 'demo' }) {
  expect((await made.authorize({ ...outside, request })).status).toBe(200)
  return made.events.findLast(({ type }) => type === 'request_object.accepted')
}

const askBackchannel = async (id: string, form: Parameters) =>
  (await made.post(path('backchannel_authentication_endpoint'), form, [basic(id, SECRET)])).status

const CODE = { grant_type: 'authorization_code', redirect_uri: CALLBACK }
const redeem = (form: Parameters, headers: readonly Header[] = [basic('demo', SECRET)]) => {
  return made.post(path('token_endpoint'), { ...CODE, ...form }, headers)
}
const newCode = async (more: Parameters = {}) =>
  parametersOf(await made.login(asked(more)), 'query').code ?? ''

/** Logs out of a client with a frontchannel_logout_uri. Returns the address of the frame, and the sid of the ID token. */
async function framedLogout() {
  const agent = browser(made)
  const { code } = parametersOf(await agent.login(asked({ client_id: 'framed', scope: 'openid' })), 'query')
  const { id_token: hint } = json(await redeem({ code }, [basic('framed', SECRET)]))
  const page = await agent.get(`/end-session?id_token_hint=${hint}`)
  return { frame: /<iframe [^>]*src="([^"]*)"/.exec(text(page.body))?.[1], sid: claimsOf(hint).sid }
}

/** Returns the parameters of a response in any response mode. */
function parametersOf(response: HttpResponse, mode: string): Record<string, string> {
  if (mode === 'form_post') {
    const fields = text(response.body).matchAll(/name="([^"]*)" value="([^"]*)"/g)
    return Object.fromEntries([...fields].map(([, name, value]) => [name, value]))
  }
  const { search, hash } = new URL(header(response, 'location') ?? 'none:')
  return Object.fromEntries(new URLSearchParams(mode === 'query' ? search : hash.slice(1)))
}

async function assertion(alg: string): Promise<string> {
  const id = alg.startsWith('HS') ? 'secret-signer' : 'signer'
  return new SignJWT({ jti: `jti-${used++}` })
    .setProtectedHeader({ alg, kid: alg })
    .setIssuer(id)
    .setSubject(id)
    .setAudience(ISSUER)
    .setIssuedAt(now)
    .setExpirationTime(now + 60)
    .sign(keys.get(alg)!.privateKey)
}

/** The form and the headers of a request that authenticates with a method. */
async function credentials(
  method: string,
  alg = method === 'client_secret_jwt' ? 'HS256' : 'ES256',
): Promise<{ form: Parameters; headers: Header[] }> {
  switch (method) {
    case 'client_secret_basic':
      return { form: {}, headers: [basic('demo', SECRET)] }
    case 'client_secret_post':
      return { form: { client_id: 'demo', client_secret: SECRET }, headers: [] }
    case 'none':
      return { form: { client_id: 'demo-public' }, headers: [] }
    default: {
      const type = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
      return { form: { client_assertion_type: type, client_assertion: await assertion(alg) }, headers: [] }
    }
  }
}

/** Calls a client endpoint with a method. At the token endpoint a public client can only redeem a code. */
async function asClient(endpoint: string, method: string, alg?: string): Promise<number | string> {
  const { form, headers } = await credentials(method, alg)
  const wanted: Parameters =
    endpoint !== 'token_endpoint'
      ? { token: 'unknown' }
      : method === 'none'
        ? { ...CODE, code: await newCode({ client_id: 'demo-public' }) }
        : { grant_type: 'client_credentials' }
  const response = await made.post(path(endpoint), { ...wanted, ...form }, headers)
  return response.status === 200 ? 200 : String(json(response).error_description)
}

async function methodsOf(endpoint: string) {
  for (const method of list(`${endpoint}_auth_methods_supported`)) {
    expect([method, await asClient(endpoint, method)]).toEqual([method, 200])
  }
}

async function algorithmsOf(endpoint: string) {
  for (const alg of list(`${endpoint}_auth_signing_alg_values_supported`)) {
    expect([alg, await asClient(endpoint, 'private_key_jwt', alg)]).toEqual([alg, 200])
  }
}

async function answers(member: string) {
  const [get, post] = [await made.get(path(member)), await made.post(path(member), {})]
  expect([get.status, post.status]).not.toEqual([404, 404])
}

async function isRefused(parameter: string, error: string) {
  const answer = await made.authorize(asked({ [parameter]: 'https://client.example/request' }))
  expect(parametersOf(answer, 'query').error).toBe(error)
}

/** The promises about one kind of response: a client may register each algorithm. */
function kindPromises(kind: ResponseKind): Record<string, () => Promise<void>> {
  const alg = `${kind}_encrypted_response_alg`
  return {
    [`${kind}_signing_alg_values_supported`]: async () => {
      for (const each of list(`${kind}_signing_alg_values_supported`)) {
        expect(await headerOf(kind, { [`${kind}_signed_response_alg`]: each })).toMatchObject({ alg: each })
      }
    },
    [`${kind}_encryption_alg_values_supported`]: async () => {
      for (const each of list(`${kind}_encryption_alg_values_supported`)) {
        expect(await headerOf(kind, { [alg]: each })).toMatchObject({ alg: each })
      }
    },
    [`${kind}_encryption_enc_values_supported`]: async () => {
      for (const enc of list(`${kind}_encryption_enc_values_supported`)) {
        const registered = { [alg]: 'ECDH-ES', [`${kind}_encrypted_response_enc`]: enc }
        expect(await headerOf(kind, registered)).toMatchObject({ enc })
      }
    },
  }
}

const promises: Readonly<Record<string, () => Promise<void>>> = {
  async issuer() {
    expect(advertised.issuer).toBe(ISSUER)
    const other = json(await made.get('/.well-known/oauth-authorization-server'))
    expect(other).toEqual(advertised)
  },
  authorization_endpoint: () => answers('authorization_endpoint'),
  token_endpoint: () => answers('token_endpoint'),
  userinfo_endpoint: () => answers('userinfo_endpoint'),
  revocation_endpoint: () => answers('revocation_endpoint'),
  introspection_endpoint: () => answers('introspection_endpoint'),
  end_session_endpoint: () => answers('end_session_endpoint'),
  check_session_iframe: () => answers('check_session_iframe'),
  // test/servers/authorization-server/logout has a server that can call clients.
  backchannel_logout_supported: async () => expect(advertised.backchannel_logout_supported).toBe(false),
  backchannel_logout_session_supported: async () =>
    expect(advertised.backchannel_logout_session_supported).toBe(false),
  frontchannel_logout_supported: async () => {
    const { frame, sid } = await framedLogout()
    expect(frame).toBe(`https://client.example/bye?iss=${encodeURIComponent(ISSUER)}&amp;sid=${sid}`)
  },
  frontchannel_logout_session_supported: async () => expect((await framedLogout()).frame).toContain('sid='),
  device_authorization_endpoint: async () => {
    const begun = await made.post(path('device_authorization_endpoint'), {}, [basic('demo', SECRET)])
    const { device_code, verification_uri } = json(begun)
    expect(device_code).toEqual(expect.any(String))
    expect((await made.get(String(verification_uri).slice(ISSUER.length))).status).toBe(200)
  },
  backchannel_authentication_endpoint: async () =>
    expect(await askBackchannel('demo', { scope: 'openid', login_hint: 'alice' })).toBe(200),
  // This server calls no client, so nobody is pinged.
  backchannel_token_delivery_modes_supported: async () =>
    expect(list('backchannel_token_delivery_modes_supported')).toEqual([
      builtIn.find(each => each.client_id === 'demo')?.backchannel_token_delivery_mode,
    ]),
  backchannel_authentication_request_signing_alg_values_supported: async () => {
    for (const alg of list('backchannel_authentication_request_signing_alg_values_supported')) {
      const claims = { scope: 'openid', login_hint: 'alice', nbf: now, jti: `jti-${used++}` }
      const request = await new SignJWT(claims)
        .setProtectedHeader({ alg, kid: alg })
        .setIssuer('backchannel-signer')
        .setAudience(ISSUER)
        .setIssuedAt(now)
        .setExpirationTime(now + 60)
        .sign(keys.get(alg)!.privateKey)
      expect([alg, await askBackchannel('backchannel-signer', { request })]).toEqual([alg, 200])
    }
  },
  backchannel_user_code_parameter_supported: async () => {
    expect(advertised.backchannel_user_code_parameter_supported).toBe(false)
    await askBackchannel('demo', { scope: 'openid', login_hint: 'bob', user_code: '1234' })
    const requested = made.events.findLast(({ type }) => type === 'ciba.requested')
    expect(requested).toMatchObject({ ignored: ['user_code'] })
  },
  pushed_authorization_request_endpoint: async () => {
    const address = path('pushed_authorization_request_endpoint')
    const pushed = await made.post(address, asked(), [basic('demo', SECRET)])
    const request_uri = String(json(pushed).request_uri)
    expect((await made.authorize({ client_id: 'demo', request_uri })).status).toBe(200)
  },
  require_pushed_authorization_requests: async () => {
    expect(advertised.require_pushed_authorization_requests).toBe(false)
    expect(await newCode()).not.toBe('')
  },
  jwks_uri: async () => {
    const { id_token } = json(await redeem({ code: await newCode() }))
    const [head] = String(id_token).split('.')
    const { kid } = JSON.parse(Buffer.from(head ?? '', 'base64url').toString())
    const published = json(await made.get(path('jwks_uri'))).keys as { kid: string }[]
    expect(published.map(each => each.kid)).toContain(kid)
  },
  async grant_types_supported() {
    // fixture-clients.test.ts tests every grant of a built-in client.
    const registered = new Set(builtIn.filter(each => each.enabled).flatMap(each => each.grant_types))
    expect([...list('grant_types_supported')].sort()).toEqual([...registered].sort())
  },
  async response_types_supported() {
    expect(list('response_types_supported')).toEqual([
      ...['code', 'token', 'id_token', 'id_token token', 'code id_token', 'code token'],
      ...['code id_token token', 'none'],
    ])
  },
  async response_modes_supported() {
    for (const response_type of list('response_types_supported')) {
      for (const mode of list('response_modes_supported')) {
        const answer = await made.login(asked({ response_type, response_mode: mode }))
        const holdsToken = /token/.test(response_type)
        const usual = holdsToken ? 'fragment' : 'query'
        const forbidden = mode.startsWith('query') && holdsToken
        const way = mode === 'jwt' || (mode === 'query' && holdsToken) ? usual : mode.replace('.jwt', '')
        const sent = parametersOf(answer, way)
        const values = mode.endsWith('jwt') ? (claimsOf(sent.response) as Record<string, string>) : sent
        if (mode.endsWith('jwt')) expect(Object.keys(sent)).toEqual(['response'])
        const given = [values.code && 'code', values.id_token && 'id_token', values.access_token && 'token']
        const parts = forbidden || response_type === 'none' ? '' : response_type
        expect([mode, given.filter(Boolean).join(' ')]).toEqual([mode, parts])
        expect(values).toMatchObject({ state: 's', iss: ISSUER })
      }
    }
  },
  token_endpoint_auth_methods_supported: () => methodsOf('token_endpoint'),
  revocation_endpoint_auth_methods_supported: () => methodsOf('revocation_endpoint'),
  introspection_endpoint_auth_methods_supported: () => methodsOf('introspection_endpoint'),
  token_endpoint_auth_signing_alg_values_supported: () => algorithmsOf('token_endpoint'),
  revocation_endpoint_auth_signing_alg_values_supported: () => algorithmsOf('revocation_endpoint'),
  introspection_endpoint_auth_signing_alg_values_supported: () => algorithmsOf('introspection_endpoint'),
  ...kindPromises('introspection'),
  ...kindPromises('id_token'),
  ...kindPromises('userinfo'),
  ...kindPromises('authorization'),
  async dpop_signing_alg_values_supported() {
    for (const alg of list('dpop_signing_alg_values_supported')) {
      const { privateKey, jwk } = keys.get(alg)!
      const { kid: _kid, alg: _alg, ...bare } = jwk!
      const claims = { jti: `proof-${used++}`, htm: 'POST', htu: String(advertised.token_endpoint), iat: now }
      const proof = await new SignJWT(claims)
        .setProtectedHeader({ typ: 'dpop+jwt', alg, jwk: bare })
        .sign(privateKey)
      const headers: Header[] = [basic('demo', SECRET), ['dpop', proof]]
      const response = await made.token({ grant_type: 'client_credentials' }, headers)
      expect([alg, json(response).token_type]).toEqual([alg, 'DPoP'])
    }
  },
  async code_challenge_methods_supported() {
    const own = { client_id: 'plain', scope: 'records:read' }
    for (const method of list('code_challenge_methods_supported')) {
      const code_challenge = method === 'plain' ? VERIFIER : CHALLENGE
      const code = await newCode({ ...own, code_challenge, code_challenge_method: method })
      const response = await redeem({ code, code_verifier: VERIFIER }, [basic('plain', SECRET)])
      expect([method, response.status]).toEqual([method, 200])
    }
  },
  async authorization_response_iss_parameter_supported() {
    const granted = parametersOf(await made.login(asked()), 'query')
    const refused = parametersOf(await made.authorize(asked({ scope: 'unknown' })), 'query')
    expect([granted.iss, refused.iss, refused.error]).toEqual([ISSUER, ISSUER, 'invalid_scope'])
  },
  async acr_values_supported() {
    const secret = parseTotpSecret(users.find(each => each.username === 'alice')?.totp_secret ?? '')
    for (const acr of list('acr_values_supported')) {
      const person = browser(made)
      const request = asked({ acr_values: acr })
      const page = await person.login(request)
      const fields = { otp: totpCode(secret!, totpCounter(made.clock.now)), csrf: field(page, 'csrf') }
      const form = { ...fields, second_factor: field(page, 'second_factor') }
      const target = `/authorization?${query(request)}`
      const answer = page.status === 200 ? await person.post(target, form) : page
      const { id_token } = json(await redeem({ code: parametersOf(answer, 'query').code }))
      expect(claimsOf(id_token)?.acr).toBe(acr)
    }
  },
  async prompt_values_supported() {
    const person = browser(made)
    await person.login(asked())
    const shown: Record<string, string> = {}
    for (const prompt of list('prompt_values_supported')) {
      const answer = await person.authorize(asked({ prompt }))
      shown[prompt] = answer.status === 200 ? 'form' : Object.keys(parametersOf(answer, 'query'))[0]!
    }
    expect(shown).toEqual({ none: 'code', login: 'form', consent: 'form', select_account: 'form' })
  },
  async scopes_supported() {
    const all = list('scopes_supported').join(' ')
    expect(json(await redeem({ code: await newCode({ scope: all }) })).scope).toBe(all)
  },
  async claims_supported() {
    const scope = list('scopes_supported').join(' ')
    const tokens = json(await redeem({ code: await newCode({ scope }) }))
    const bearer: Header = ['authorization', `Bearer ${tokens.access_token}`]
    const userinfo = json(await made.get(path('userinfo_endpoint'), [bearer]))
    const hybrid = parametersOf(await made.login(asked({ response_type: 'code id_token' })), 'fragment')
    const holders = [claimsOf(tokens.id_token), claimsOf(hybrid.id_token), userinfo]
    const given = new Set(holders.flatMap(each => Object.keys(each ?? {})))
    expect(list('claims_supported').filter(each => !given.has(each))).toEqual([])
  },
  async subject_types_supported() {
    expect(list('subject_types_supported')).toEqual(['public', 'pairwise'])
    const sub = async (id: string, secret: string) =>
      claimsOf(json(await redeem({ code: await newCode({ client_id: id }) }, [basic(id, secret)])).id_token)
        ?.sub
    expect([await sub('demo', SECRET), await sub('plain', SECRET)]).toEqual(['alice', 'alice'])
    expect(await sub('pairwise', SECRET)).toMatch(/^[\w-]{43}$/)
  },
  async claims_parameter_supported() {
    expect(advertised.claims_parameter_supported).toBe(true)
    const claims = '{"id_token":{"email":{"essential":true}}}'
    const { id_token } = json(await redeem({ code: await newCode({ scope: 'openid', claims }) }))
    expect(claimsOf(id_token)).toHaveProperty('email')
  },
  async request_parameter_supported() {
    expect(await seenObject(hmacObject())).toMatchObject({ alg: 'HS256' })
  },
  async request_object_signing_alg_values_supported() {
    for (const alg of list('request_object_signing_alg_values_supported')) {
      if (alg === 'none') {
        const [header, claims] = [{ alg }, { state: 'inside' }].map(part)
        expect(await seenObject(`${header}.${claims}.`, asked())).toMatchObject({ alg })
      } else if (alg === 'HS256') expect(await seenObject(hmacObject())).toMatchObject({ alg })
      else {
        const claims = asked({ client_id: 'request-signer' })
        const { privateKey } = keys.get(alg)!
        const object = await new SignJWT({ ...claims }).setProtectedHeader({ alg, kid: alg }).sign(privateKey)
        expect(await seenObject(object, { client_id: 'request-signer' })).toMatchObject({ alg })
      }
    }
  },
  async request_object_encryption_alg_values_supported() {
    expect(list('request_object_encryption_alg_values_supported')).toEqual(['dir'])
    const object = await encryptText(hmacObject(), contentKey(SECRET, 'A128GCM'), DIR, {})
    expect(await seenObject(object)).toMatchObject({ encryption: 'dir A128GCM' })
  },
  async request_object_encryption_enc_values_supported() {
    for (const enc of list('request_object_encryption_enc_values_supported') as ContentEncryption[]) {
      const object = await encryptText(hmacObject(), contentKey(SECRET, enc), { ...DIR, enc }, {})
      expect(await seenObject(object)).toMatchObject({ encryption: `dir ${enc}` })
    }
  },
  async require_signed_request_object() {
    expect((await made.authorize(asked())).status).toBe(200)
    const strict = lab({ clients: builtIn, scopes, requireSignedRequestObject: true })
    const metadata = json(await strict.get('/.well-known/openid-configuration'))
    expect(metadata).toMatchObject({ require_signed_request_object: true })
    expect(location(await strict.authorize(asked())).search).toContain('error=invalid_request')
  },
  request_uri_parameter_supported: () => isRefused('request_uri', 'request_uri_not_supported'),
}

it.each(Object.keys(advertised))('the metadata advertises what works: %s', async member => {
  expect(Object.keys(promises)).toContain(member)
  await promises[member]?.()
})
