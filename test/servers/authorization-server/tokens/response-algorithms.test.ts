import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { compactDecrypt, compactVerify, createLocalJWKSet, decodeProtectedHeader, type JWK } from 'jose'
import { describe, expect, it } from 'vitest'
import { header, text } from '../../../../src/protocol/http/message.js'
import { SIGNING_ALGORITHMS } from '../../../../src/protocol/oauth/algorithms.js'
import { contentKey } from '../../../../src/protocol/tokens/encryption.js'
import { tokenHash } from '../../../../src/protocol/tokens/verify.js'
import { basic, client, codeRequest, ISSUER, json, lab, SECRET } from '../support.js'

const LONG = 'a secret of at least thirty-two bytes'
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const publicJwk = (key: KeyObject, more: object) =>
  ({ ...key.export({ format: 'jwk' }), ...more }) as Record<string, unknown>
const jwks = {
  keys: [
    publicJwk(rsa.publicKey, { kid: 'sig-only', use: 'sig' }),
    publicJwk(rsa.publicKey, { kid: 'rsa', use: 'enc' }),
    publicJwk(ec.publicKey, { kid: 'ec', use: 'enc' }),
  ],
}
type Registration = Parameters<typeof client>[1]

/** A server with one client that logs in alice, and its tokens. */
async function login(registration: Registration, scope = 'openid profile', ports = {}) {
  const secret = registration?.client_secret ?? SECRET
  const world = lab(
    { clients: [client('demo', { client_secret: secret, ...registration })] },
    undefined,
    ports,
  )
  const code = await world.newCode({ scope })
  const headers = [basic('demo', secret)]
  const response = await world.redeem(code, {}, headers)
  const tokens = json(response)
  const keys = json(await world.get('/.well-known/jwks.json')) as unknown as { keys: JWK[] }
  const userinfo = () => world.get('/userinfo', [['authorization', `Bearer ${String(tokens.access_token)}`]])
  const introspect = () =>
    world.post('/introspection', { token: String(tokens.access_token) }, [
      ...headers,
      ['accept', 'application/token-introspection+jwt'],
    ])
  return { ...world, response, tokens, keys, userinfo, introspect }
}

/** Verifies with the published keys, by jose alone. */
async function verified(jwt: string, keys: { keys: JWK[] }) {
  const { payload, protectedHeader } = await compactVerify(jwt, createLocalJWKSet(keys))
  return { claims: JSON.parse(new TextDecoder().decode(payload)), header: protectedHeader }
}

describe.each(SIGNING_ALGORITHMS)('a client registered for %s', alg => {
  const registration: Registration = {
    id_token_signed_response_alg: alg,
    userinfo_signed_response_alg: alg,
    introspection_signed_response_alg: alg,
    access_token_signing_alg: alg,
  }

  it('gets tokens and answers by it, which the published keys verify', async () => {
    const { tokens, keys, userinfo, introspect } = await login(registration)
    const idToken = await verified(String(tokens.id_token), keys)
    expect(idToken.header).toMatchObject({ alg, typ: 'JWT' })
    expect(idToken.claims.at_hash).toBe(tokenHash(String(tokens.access_token), alg))
    expect((await verified(String(tokens.access_token), keys)).header.alg).toBe(alg)

    const info = await userinfo()
    expect(header(info, 'content-type')).toBe('application/jwt')
    const { claims } = await verified(text(info.body), keys)
    expect(claims).toMatchObject({ iss: ISSUER, aud: 'demo', sub: 'alice' })

    const answer = await introspect()
    expect(header(answer, 'content-type')).toBe('application/token-introspection+jwt')
    const { claims: said, header: shown } = await verified(text(answer.body), keys)
    expect(shown).toMatchObject({ alg, typ: 'token-introspection+jwt' })
    expect(said).toMatchObject({ iss: ISSUER, aud: 'demo', token_introspection: { active: true } })
  })

  it('may send its id_token as a hint', async () => {
    const { tokens, authorize } = await login(registration)
    const hint = String(tokens.id_token)
    const response = await authorize(codeRequest({ scope: 'openid', id_token_hint: hint }))
    expect(response.status).toBe(200)
  })
})

it('the half of a hash is that of the hash of the signature: SHA-512 for Ed25519', async () => {
  for (const alg of ['EdDSA', 'Ed25519'] as const) {
    const { tokens, keys } = await login({ id_token_signed_response_alg: alg })
    const { claims } = await verified(String(tokens.id_token), keys)
    expect(Buffer.from(claims.at_hash, 'base64url')).toHaveLength(32)
  }
})

describe('HS256', () => {
  it('signs with the secret of the client, and is accepted as a hint of that client alone', async () => {
    const { tokens, authorize } = await login({
      client_secret: LONG,
      id_token_signed_response_alg: 'HS256',
      userinfo_signed_response_alg: 'HS256',
    })
    const { protectedHeader } = await compactVerify(String(tokens.id_token), new TextEncoder().encode(LONG))
    expect(protectedHeader).toEqual({ alg: 'HS256', typ: 'JWT' })
    const hint = String(tokens.id_token)
    expect((await authorize(codeRequest({ scope: 'openid', id_token_hint: hint }))).status).toBe(200)
    const forged = `${hint.slice(0, -4)}AAAA`
    const refused = await authorize(codeRequest({ scope: 'openid', id_token_hint: forged }))
    expect(header(refused, 'location')).toContain('error=invalid_request')
  })
})

describe('an encrypted response', () => {
  it.each([
    ['RSA-OAEP', rsa, 'rsa', 'A128CBC-HS256'],
    ['RSA-OAEP-256', rsa, 'rsa', 'A256GCM'],
    ['ECDH-ES', ec, 'ec', 'A128GCM'],
    ['ECDH-ES+A128KW', ec, 'ec', 'A256CBC-HS512'],
    ['ECDH-ES+A256KW', ec, 'ec', 'A256GCM'],
  ] as const)('by %s is a signed JWT inside a JWE', async (alg, pair, kid, enc) => {
    const registration: Registration = {
      jwks,
      token_endpoint_auth_method: 'client_secret_basic',
      id_token_signed_response_alg: 'ES256',
      id_token_encrypted_response_alg: alg,
      id_token_encrypted_response_enc: enc,
      userinfo_signed_response_alg: 'PS256',
      userinfo_encrypted_response_alg: alg,
      introspection_encrypted_response_alg: alg,
    }
    const { tokens, keys, userinfo, introspect } = await login(registration)
    const open = async (jwe: string) => {
      const { plaintext, protectedHeader } = await compactDecrypt(jwe, pair.privateKey)
      return { protectedHeader, inner: await verified(new TextDecoder().decode(plaintext), keys) }
    }
    const id = await open(String(tokens.id_token))
    expect(id.protectedHeader).toMatchObject({ alg, enc, kid, cty: 'JWT' })
    expect(id.inner).toMatchObject({ header: { alg: 'ES256' }, claims: { sub: 'alice', aud: 'demo' } })
    const info = await open(text((await userinfo()).body))
    expect(info.protectedHeader.enc).toBe('A128CBC-HS256')
    expect(info.inner).toMatchObject({ header: { alg: 'PS256' }, claims: { iss: ISSUER, aud: 'demo' } })
    const said = await open(text((await introspect()).body))
    expect(said.inner.header).toMatchObject({ alg: 'RS256', typ: 'token-introspection+jwt' })
  })

  it.each(['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'] as const)(
    'by dir and %s is encrypted with the hash of the secret',
    async enc => {
      const { tokens } = await login({
        client_secret: LONG,
        id_token_encrypted_response_alg: 'dir',
        id_token_encrypted_response_enc: enc,
      })
      const { protectedHeader } = await compactDecrypt(String(tokens.id_token), contentKey(LONG, enc))
      expect(protectedHeader).toEqual({ alg: 'dir', enc, cty: 'JWT' })
    },
  )

  it('of userinfo without a signature is JSON inside', async () => {
    const { userinfo } = await login({
      jwks,
      token_endpoint_auth_method: 'client_secret_basic',
      userinfo_encrypted_response_alg: 'RSA-OAEP-256',
    })
    const response = await userinfo()
    expect(header(response, 'content-type')).toBe('application/jwt')
    const { plaintext, protectedHeader } = await compactDecrypt(text(response.body), rsa.privateKey)
    expect(protectedHeader.cty).toBeUndefined()
    expect(JSON.parse(new TextDecoder().decode(plaintext))).toMatchObject({ sub: 'alice' })
  })

  const far: Registration = {
    jwks_uri: 'https://client.example/jwks',
    token_endpoint_auth_method: 'client_secret_basic',
    id_token_encrypted_response_alg: 'ECDH-ES',
  }

  it('uses the key of a jwks_uri', async () => {
    const fetchDocument = async () => ({ body: JSON.stringify(jwks) })
    const { tokens } = await login(far, undefined, { fetchDocument })
    expect(decodeProtectedHeader(String(tokens.id_token)).kid).toBe('ec')
  })

  it('from the authorization endpoint is an error that the client gets by redirect', async () => {
    const registration: Registration = { ...far, response_types: ['id_token'], grant_types: ['implicit'] }
    const { login: logIn } = lab({ clients: [client('demo', registration)] })
    const request = { ...codeRequest({ scope: 'openid', response_type: 'id_token', nonce: 'n' }) }
    const response = await logIn(request)
    const answer = new URLSearchParams(new URL(header(response, 'location') ?? 'none:').hash.slice(1))
    expect(answer.get('error')).toBe('invalid_request')
    expect(answer.get('error_description')).toContain('cannot be encrypted')
  })

  it.each([
    [
      'the address does not answer',
      () => Promise.reject(new Error('it answered 503')),
      'this server cannot read it',
    ],
    [
      'the set has no such key',
      async () => ({ body: JSON.stringify({ keys: jwks.keys.slice(0, 2) }) }),
      'it has no key for ECDH-ES',
    ],
    [
      'the key is broken',
      async () => ({
        body: JSON.stringify({ keys: [{ kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA', kid: 'bad' }] }),
      }),
      'its key bad cannot be used for ECDH-ES',
    ],
  ])('is an error of the client where %s', async (_, fetchDocument, problem) => {
    const { response, tokens } = await login(far, undefined, { fetchDocument })
    expect(response.status).toBe(400)
    expect(tokens.error).toBe('invalid_request')
    expect(tokens.error_description).toContain(problem)
    expect(JSON.stringify(tokens)).not.toContain('access_token')
  })

  it('spends no code where it cannot be made', async () => {
    let keys: object = { keys: [] }
    const fetchDocument = async () => ({ body: JSON.stringify(keys) })
    let now = 1_700_000_000_000
    const world = lab({ clients: [client('demo', { client_secret: SECRET, ...far })] }, undefined, {
      fetchDocument,
      now: () => now,
    })
    const code = await world.newCode({ scope: 'openid' })
    const headers = [basic('demo', SECRET)]
    expect((await world.redeem(code, {}, headers)).status).toBe(400)
    keys = jwks
    // The client mends its key set. The server fetches it again after a pause.
    now += 300_000
    const again = await world.redeem(code, {}, headers)
    expect(json(again)).toMatchObject({ id_token: expect.stringMatching(/^(?:[\w-]*\.){4}[\w-]+$/) })
    expect(json(await world.redeem(code, {}, headers)).error).toBe('invalid_grant')
  })

  it('of introspection is asked for by its media type: JSON would be readable', async () => {
    const { tokens, post, introspect } = await login({
      jwks,
      token_endpoint_auth_method: 'client_secret_basic',
      introspection_encrypted_response_alg: 'RSA-OAEP-256',
    })
    const form = { token: String(tokens.access_token) }
    for (const accept of [[], [['accept', 'application/json']], [['accept', '*/*']]] as const) {
      const response = await post('/introspection', form, [basic('demo', SECRET), ...accept])
      expect(response.status).toBe(400)
      expect(json(response)).toMatchObject({
        error: 'invalid_request',
        error_description: expect.stringContaining('Accept: application/token-introspection+jwt'),
      })
    }
    expect((await introspect()).status).toBe(200)
  })
})
