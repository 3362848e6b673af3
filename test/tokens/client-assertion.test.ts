import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { ASSERTION_SECONDS, loadClientKey, makeClientAssertion } from '../../src/tokens/client-assertion.js'
import { decodeJwt } from '../../src/tokens/decode.js'

const ports = { now: () => 1_700_000_000_500, random: (length: number) => new Uint8Array(length).fill(7) }
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve }).privateKey
const pem = (key: typeof rsa, type: 'pkcs8' | 'sec1' | 'pkcs1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString()
const jwk = (key: typeof rsa, more: object = {}) =>
  JSON.stringify({ ...key.export({ format: 'jwk' }), ...more })

describe('loadClientKey', () => {
  it.each([
    ['RSA', pem(rsa), 'RS256'],
    ['RSA, PKCS#1', pem(rsa, 'pkcs1'), 'RS256'],
    ['P-256', pem(curve('P-256')), 'ES256'],
    ['P-384', pem(curve('P-384'), 'sec1'), 'ES384'],
    ['P-521', pem(curve('P-521')), 'ES512'],
    ['Ed25519', pem(generateKeyPairSync('ed25519').privateKey), 'EdDSA'],
    ['a JWK', jwk(curve('P-256')), 'ES256'],
    ['a JWK that says PS256', jwk(rsa, { alg: 'PS256' }), 'PS256'],
  ])('takes %s and signs by its algorithm', (_name, text, alg) => {
    expect(loadClientKey(text).alg).toBe(alg)
  })

  it('keeps the kid of a JWK', () => {
    expect(loadClientKey(jwk(rsa, { kid: 'k1' })).kid).toBe('k1')
    expect(loadClientKey(pem(rsa)).kid).toBeUndefined()
  })

  const publicPem = createPublicKey(rsa).export({ type: 'spki', format: 'pem' }).toString()
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  it.each([
    ['nothing', '', /neither PEM nor JSON/],
    ['a public key', publicPem, /no private key/],
    ['a public JWK', JSON.stringify(createPublicKey(rsa).export({ format: 'jwk' })), /no private part/],
    ['a set of keys', JSON.stringify({ keys: [] }), /set of keys/],
    ['a list', '[]', /no JWK/],
    ['a short key', pem(weak), /1024 bits/],
    ['a key for agreement', pem(generateKeyPairSync('x25519').privateKey), /signs nothing/],
    ['another curve', pem(curve('secp256k1')), /secp256k1/],
    ['an alg of another key', jwk(curve('P-256'), { alg: 'ES384' }), /ES384 does not fit/],
    ['alg none', jwk(rsa, { alg: 'none' }), /none does not fit/],
    ['an alg of secrets', jwk(rsa, { alg: 'HS256' }), /HS256 does not fit/],
    ['broken PEM', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n', /no private key/],
  ])('refuses %s', (_name, text, why) => expect(() => loadClientKey(text)).toThrow(why))
})

describe('makeClientAssertion', () => {
  it('says who asks whom, once and for a minute (RFC 7523 §3)', async () => {
    const key = loadClientKey(jwk(rsa, { kid: 'k1', alg: 'PS256' }))
    const assertion = await makeClientAssertion(key, { clientId: 'web', audience: 'https://as.test' }, ports)
    await compactVerify(assertion, createPublicKey(rsa), { algorithms: ['PS256'] })
    const { header, claims } = decodeJwt(assertion)
    expect(header).toEqual({ typ: 'JWT', alg: 'PS256', kid: 'k1' })
    const iat = 1_700_000_000
    expect(claims).toEqual({
      iss: 'web',
      sub: 'web',
      aud: 'https://as.test',
      jti: expect.stringMatching(/^[\w-]{22}$/),
      iat,
      exp: iat + ASSERTION_SECONDS,
    })
  })
})
