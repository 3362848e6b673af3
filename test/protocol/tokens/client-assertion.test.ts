import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  ASSERTION_SECONDS,
  loadClientKey,
  makeClientAssertion,
  signWith,
} from '../../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { rsaPair } from './rfc.js'

const ports = { now: () => 1_700_000_000_500, random: (length: number) => new Uint8Array(length).fill(7) }
const rsa = createPrivateKey({ key: rsaPair, format: 'jwk' })
const edwards = generateKeyPairSync('ed25519').privateKey
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
    ['Ed25519', pem(edwards), 'EdDSA'],
    ['a JWK', jwk(curve('P-256')), 'ES256'],
    ['a JWK that says PS256', jwk(rsa, { alg: 'PS256' }), 'PS256'],
    ['a JWK that says RS512', jwk(rsa, { alg: 'RS512' }), 'RS512'],
    ['a JWK that says Ed25519', jwk(edwards, { alg: 'Ed25519' }), 'Ed25519'],
    ['a JWK whose alg is a number', jwk(edwards, { alg: 7 }), 'EdDSA'],
    ['PEM with text before it', `Bag Attributes\n${pem(edwards)}`, 'EdDSA'],
  ])('takes %s and signs by its algorithm', (_name, text, alg) => {
    expect(loadClientKey(text).alg).toBe(alg)
  })

  it('keeps the kid of a JWK', () => {
    expect(loadClientKey(jwk(rsa, { kid: 'k1' })).kid).toBe('k1')
    expect(loadClientKey(jwk(rsa, { kid: 1 }))).not.toHaveProperty('kid')
    expect(loadClientKey(pem(rsa))).not.toHaveProperty('kid')
  })

  const publicPem = createPublicKey(rsa).export({ type: 'spki', format: 'pem' }).toString()
  const encrypted = rsa
    .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'secret' })
    .toString()
  const weak = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey
  it.each([
    ['nothing', '', /neither PEM nor JSON/],
    ['a public key', publicPem, /a public key/],
    ['a public JWK', JSON.stringify(createPublicKey(rsa).export({ format: 'jwk' })), /a public key/],
    ['a set of keys', JSON.stringify({ keys: [] }), /set has no keys/],
    ['a list', '[]', /kty/],
    ['an RSA key of 1024 bits', pem(weak), /cannot sign.*2048 bits/],
    [
      'an RSA-PSS key',
      pem(generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey),
      /cannot sign/,
    ],
    ['a key for agreement', pem(generateKeyPairSync('x25519').privateKey), /cannot sign/],
    ['another curve', pem(curve('secp256k1')), /cannot sign/],
    ['another Edwards curve', pem(generateKeyPairSync('ed448').privateKey), /cannot sign/],
    ['an alg of another key', jwk(curve('P-256'), { alg: 'ES384' }), /ES384 does not fit/],
    ['an RSA alg for a P-256 key', jwk(curve('P-256'), { alg: 'PS256' }), /PS256 does not fit/],
    ['an EC alg for an RSA key', jwk(rsa, { alg: 'ES256' }), /ES256 does not fit/],
    ['alg none', jwk(rsa, { alg: 'none' }), /none does not fit/],
    ['an alg of secrets', jwk(rsa, { alg: 'HS256' }), /HS256 does not fit/],
    ['a JWK with a broken part', jwk(curve('P-256'), { d: 7 }), /no key that can be read/],
    ['a JSON text', '"d"', /kty/],
    ['an encrypted key', encrypted, /encrypted with a password/],
    [
      'broken PEM',
      '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
      /no key that can be read/,
    ],
  ])('refuses %s', (_name, text, why) => expect(() => loadClientKey(text)).toThrow(why))
})

it.each([
  ['RS256', rsa],
  ['PS512', rsa],
  ['ES256', curve('P-256')],
  ['ES384', curve('P-384')],
  ['ES512', curve('P-521')],
  ['EdDSA', edwards],
  ['Ed25519', edwards],
])('a loaded key signs with %s', async (alg, key) => {
  const token = await signWith({ sub: 'web' }, loadClientKey(jwk(key, { alg })))
  const { protectedHeader, payload } = await compactVerify(token, createPublicKey(key))
  expect(protectedHeader).toEqual({ typ: 'JWT', alg })
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({ sub: 'web' })
})

it('makeClientAssertion says who asks whom, once and for a minute (RFC 7523 §3)', async () => {
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
