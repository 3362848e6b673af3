import { generateKeyPairSync } from 'node:crypto'
import { compactDecrypt, createLocalJWKSet, decodeJwt, type JWK, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { type HttpResponse, header, text } from '../../../../../src/protocol/http/message.js'
import { type DefendedSettings, STRICT } from '../../../../../src/servers/authorization-server/defences.js'
import {
  CALLBACK,
  CHALLENGE,
  client,
  codeRequest,
  ISSUER,
  json,
  lab,
  location,
  SECRET,
  type Parameters as Values,
} from '../../support.js'

const enc = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const encryptionJwk = { ...enc.publicKey.export({ format: 'jwk' }), kid: 'enc', use: 'enc' }
const ENCRYPTED = {
  jwks: { keys: [encryptionJwk] as unknown as Record<string, unknown>[] },
  token_endpoint_auth_method: 'client_secret_basic',
  authorization_encrypted_response_alg: 'ECDH-ES',
} as const
const EVERY_TYPE = {
  grant_types: ['authorization_code', 'implicit'],
  response_types: ['code', 'token', 'id_token', 'id_token token', 'code id_token', 'code token', 'none'],
}

type Registration = NonNullable<Parameters<typeof client>[1]>

const world = (registration: Registration = {}, more: Partial<DefendedSettings> = {}) =>
  lab({ clients: [client('demo', { client_secret: SECRET, ...EVERY_TYPE, ...registration })], ...more })

/** Returns the parameters of a response by its place. */
function sent(response: HttpResponse) {
  if (response.status === 200) {
    const fields = text(response.body).matchAll(/name="([^"]*)" value="([^"]*)"/g)
    return { place: 'form', names: [...fields].map(([, name, value]) => [name, value]) }
  }
  const { search, hash } = location(response)
  const place = hash === '' ? 'query' : 'fragment'
  return { place, names: [...new URLSearchParams(hash === '' ? search : hash.slice(1))] }
}

/** Verifies a response JWT by jose alone: issuer, audience, time and signature. */
async function opened(made: ReturnType<typeof lab>, response: HttpResponse, alg = 'RS256') {
  const { place, names } = sent(response)
  expect(names.map(([name]) => name)).toEqual(['response'])
  const keys = json(await made.get('/.well-known/jwks.json')) as unknown as { keys: JWK[] }
  const { payload, protectedHeader } = await jwtVerify(names[0]![1]!, createLocalJWKSet(keys), {
    issuer: ISSUER,
    audience: 'demo',
    algorithms: [alg],
    currentDate: new Date(made.clock.now),
    requiredClaims: ['iss', 'aud', 'exp'],
  })
  return { place, payload, protectedHeader }
}

describe('a response in a JWT (JARM)', () => {
  it.each([
    ['code', 'jwt', 'query', ['code']],
    ['code', 'query.jwt', 'query', ['code']],
    ['code', 'fragment.jwt', 'fragment', ['code']],
    ['code', 'form_post.jwt', 'form', ['code']],
    ['none', 'jwt', 'query', []],
    ['token', 'jwt', 'fragment', ['access_token', 'token_type', 'expires_in', 'scope']],
    ['code id_token', 'jwt', 'fragment', ['code', 'id_token']],
    ['code id_token', 'form_post.jwt', 'form', ['code', 'id_token']],
  ])('%s with %s is in the %s with every parameter', async (response_type, mode, place, names) => {
    const made = world()
    const request = codeRequest({ response_type, response_mode: mode, state: 's', nonce: 'n' })
    const scope = response_type.includes('id_token') ? { scope: 'openid' } : {}
    const answer = await opened(made, await made.login({ ...request, ...scope }))
    expect(answer.place).toBe(place)
    expect(answer.payload).toMatchObject({ iss: ISSUER, aud: 'demo', state: 's' })
    const usual = ['iss', 'aud', 'exp', 'state']
    const got = Object.keys(answer.payload).filter(name => !usual.includes(name))
    expect(got).toEqual(expect.arrayContaining(names))
    // A client copies the parameters as they would stand in an address, so each is a text.
    for (const name of got) expect(typeof answer.payload[name]).toBe('string')
  })

  it('ends within ten minutes (JARM §2.1)', async () => {
    const made = world()
    const { payload } = await opened(made, await made.login(codeRequest({ response_mode: 'jwt' })))
    const left = payload.exp! - made.clock.now / 1000
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThanOrEqual(600)
  })

  it('has a code that can be redeemed', async () => {
    const made = world()
    const request = codeRequest({ response_mode: 'jwt' })
    const { payload } = await opened(made, await made.login(request))
    const tokens = json(await made.redeem(String(payload.code)))
    expect(tokens).toHaveProperty('access_token')
  })

  it.each(['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const)('is signed by %s as registered', async alg => {
    const made = world({ authorization_signed_response_alg: alg })
    const answer = await opened(made, await made.login(codeRequest({ response_mode: 'jwt' })), alg)
    expect(answer.protectedHeader.alg).toBe(alg)
  })

  it('is the same for a public client', async () => {
    const made = lab({ clients: [client('demo')] })
    const request = codeRequest({
      response_mode: 'jwt',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
    })
    expect((await opened(made, await made.login(request))).payload).toHaveProperty('code')
  })

  it('names the issuer in a lab whose plain responses leave it out', async () => {
    const made = world({}, { defences: { ...STRICT, namedIssuer: () => undefined } })
    const { payload } = await opened(made, await made.login(codeRequest({ response_mode: 'jwt' })))
    expect(payload.iss).toBe(ISSUER)
  })
})

describe('an error in a JWT', () => {
  it.each<[string, Values, string, string]>([
    ['an unknown scope', { response_mode: 'jwt', scope: 'banana' }, 'query', 'invalid_scope'],
    ['no login', { response_mode: 'fragment.jwt', prompt: 'none' }, 'fragment', 'login_required'],
    ['a repeated form', { response_mode: 'form_post.jwt', prompt: 'none' }, 'form', 'login_required'],
    [
      'query.jwt for a token',
      { response_type: 'token', response_mode: 'query.jwt' },
      'query',
      'invalid_request',
    ],
  ])('%s', async (_what, more, place, error) => {
    const made = world()
    const answer = await opened(made, await made.authorize(codeRequest({ state: 's', ...more })))
    expect(answer.place).toBe(place)
    expect(answer.payload).toMatchObject({ error, state: 's' })
    expect(answer.payload).toHaveProperty('error_description')
  })

  it('is plain for a mode that the server does not know', async () => {
    const made = world()
    const { names } = sent(await made.authorize(codeRequest({ response_mode: 'cookie.jwt' })))
    expect(Object.fromEntries(names)).toMatchObject({ error: 'invalid_request', iss: ISSUER })
  })

  it('comes by 303 where the profile says so', async () => {
    const made = world({ profile: 'fapi2' })
    const response = await made.authorize(
      codeRequest({ response_mode: 'jwt', redirect_uri: 'https://client.example/cb?tenant=a' }),
    )
    expect(response.status).toBe(303)
    expect(decodeJwt(location(response).searchParams.get('response')!)).toMatchObject({
      error: 'invalid_request',
    })
  })
})

describe('an encrypted response', () => {
  /** Returns the claims of a response JWT inside a JWE. */
  async function decrypted(jwe: string) {
    const { plaintext, protectedHeader } = await compactDecrypt(jwe, enc.privateKey)
    return { head: protectedHeader, claims: decodeJwt(new TextDecoder().decode(plaintext)) }
  }

  it.each([
    ['code', {}],
    ['error', { prompt: 'none' }],
    ['access_token', { response_type: 'token', response_mode: 'query.jwt' }],
  ])('with %s is a signed JWT inside a JWE, in the query', async (member, more) => {
    const made = world(ENCRYPTED)
    const { place, names } = sent(
      await made.login(codeRequest({ response_mode: 'jwt', state: 's', ...more })),
    )
    expect(place).toBe('query')
    const { head, claims } = await decrypted(names[0]![1]!)
    expect(head).toMatchObject({ alg: 'ECDH-ES', enc: 'A128CBC-HS256', kid: 'enc', cty: 'JWT' })
    expect(claims).toMatchObject({ iss: ISSUER, aud: 'demo', state: 's', [member]: expect.any(String) })
  })

  it('that cannot be encrypted is a page, and nothing is sent', async () => {
    const { jwks: _jwks, ...rest } = ENCRYPTED
    const made = world({ ...rest, jwks_uri: 'https://client.example/keys' })
    for (const response of [
      await made.login(codeRequest({ response_mode: 'jwt' })),
      await made.authorize(codeRequest({ response_mode: 'jwt', prompt: 'none' })),
    ]) {
      expect(response.status).toBe(400)
      expect(header(response, 'location')).toBeUndefined()
      expect(text(response.body)).toContain('cannot be encrypted to this client')
    }
    expect(made.events.findLast(({ type }) => type === 'authorization.refused')).toMatchObject({
      channel: 'page',
    })
  })
})

it('a server without published keys knows no JWT modes', async () => {
  const made = world({}, { stage: 'shared-secret' })
  const { names } = sent(await made.authorize(codeRequest({ response_mode: 'jwt', redirect_uri: CALLBACK })))
  expect(Object.fromEntries(names)).toMatchObject({ error: 'invalid_request' })
})
