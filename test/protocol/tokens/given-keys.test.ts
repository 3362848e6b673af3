import { execFileSync } from 'node:child_process'
import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import {
  jwkOf,
  KeyFormatError,
  MADE_ALGORITHMS,
  makeJwk,
  namedJwk,
  pemOf,
  publicHalf,
  readGivenKeys,
  signClaims,
  signingAlgorithm,
  thumbprintOf,
} from '../../../src/protocol/tokens/given-keys.js'
import { forAll } from '../../support/for-all.js'
import { findProgram } from '../../support/requires.js'

const one = (value: unknown) => readGivenKeys(JSON.stringify(value)).keys[0]

/** RFC 7638 §3.1. */
const RFC7638 = {
  kty: 'RSA',
  n: '0vx7agoebGcQSuuPiLJXZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tSoc_BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ_2W-5JsGY4Hc5n9yBXArwl93lqt7_RN5w6Cf0h4QyQ5v-65YGjQR0_FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt-bFTWhAI4vMQFh6WeZu0fM4lFd2NcRwr3XPksINHaQ-G_xBniIqbw0Ls1jF44-csFCur-kEgU8awapJzKnqDKgw',
  e: 'AQAB',
  alg: 'RS256',
  kid: '2011-04-29',
}
/** RFC 8037 appendix A.1. */
const RFC8037 = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}

describe('a given key', () => {
  it('has the thumbprints of RFC 7638 §3.1 and RFC 8037 A.3', async () => {
    expect(await thumbprintOf(one(RFC7638))).toBe('NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs')
    expect(await thumbprintOf(one(RFC8037))).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  it('keeps its members, and gets its thumbprint as the name that it had not', async () => {
    expect(jwkOf(one(RFC7638))).toEqual(RFC7638)
    expect((await namedJwk(one(RFC7638))).kid).toBe('2011-04-29')
    expect((await namedJwk(one(RFC7638), 'mine')).kid).toBe('mine')
    expect((await namedJwk(one(RFC8037))).kid).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k')
  })

  it('has a public half without one private member, for the other operations', () => {
    const half = jwkOf(publicHalf(one({ ...RFC8037, key_ops: ['sign'] })))
    expect(half).toEqual({ kty: 'OKP', crv: 'Ed25519', x: RFC8037.x, key_ops: ['verify'] })
    expect(() => publicHalf(one({ kty: 'oct', k: 'c2VjcmV0' }))).toThrow(KeyFormatError)
  })

  it.each(MADE_ALGORITHMS)('made for %s is the same after PEM, and signs where it is for that', async alg => {
    const jwk = await makeJwk({ alg })
    const given = one(jwk)
    expect(jwk).toMatchObject({ alg, kid: await thumbprintOf(given) })
    if (jwk.kty === 'oct') expect(() => pemOf(given)).toThrow(KeyFormatError)
    else {
      const { form, keys } = readGivenKeys(pemOf(given))
      expect(form).toBe('pem')
      const { kid: _kid, use: _use, alg: _alg, ...material } = jwk
      expect(jwkOf(keys[0])).toEqual(material)
    }
    if (jwk.use === 'enc') return
    expect(signingAlgorithm(given)).toBe(alg)
    const token = await signClaims({ sub: 'alice' }, { alg }, given)
    const verifier = given.key.type === 'secret' ? given.key : createPublicKey(given.key)
    const { payload } = await compactVerify(token, verifier)
    expect(Buffer.from(payload).toString()).toBe('{"sub":"alice"}')
  })

  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  it.each([
    ['PKCS #8', pair.privateKey.export({ type: 'pkcs8', format: 'pem' }), 'private'],
    ['SEC 1', pair.privateKey.export({ type: 'sec1', format: 'pem' }), 'private'],
    ['SPKI', pair.publicKey.export({ type: 'spki', format: 'pem' }), 'public'],
  ])('is read from %s', (_, pem, type) => expect(readGivenKeys(String(pem)).keys[0].key.type).toBe(type))

  const certificate = readFileSync('test/protocol/tokens/certificate.pem', 'utf8')
  const secret = String(pair.privateKey.export({ type: 'pkcs8', format: 'pem' }))
  const open = String(pair.publicKey.export({ type: 'spki', format: 'pem' }))

  it.each([
    ['a certificate and its private key', certificate + secret, 'private'],
    ['a private key and its certificates', secret + certificate + certificate, 'private'],
    ['a chain of certificates', certificate + certificate, 'public'],
    [
      'parameters before the key',
      `-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n${secret}`,
      'private',
    ],
    ['text around it', `Bag Attributes\n    friendlyName: x\n${secret}\n`, 'private'],
  ])('is read from a PEM of %s', (_, pem, type) => expect(readGivenKeys(pem).keys[0].key.type).toBe(type))

  it.each([secret + secret, open + open])('is not chosen among several of a PEM', pem =>
    expect(() => readGivenKeys(pem)).toThrow('this PEM holds 2 keys'),
  )

  it('is found in a set beside keys of types that nobody knows (RFC 7517 §5)', () => {
    const foreign = { kty: 'AKP', alg: 'ML-DSA-44', pub: 'AA', priv: 'AA' }
    const { keys } = readGivenKeys(JSON.stringify({ keys: [foreign, RFC8037] }))
    expect(keys.map(({ key }) => key.asymmetricKeyType)).toEqual(['ed25519'])
    for (const alone of [foreign, { keys: [foreign] }]) {
      expect(() => readGivenKeys(JSON.stringify(alone))).toThrow(
        'the kty "AKP", which is not one of RSA, EC, OKP, oct',
      )
    }
  })

  it('of a type without a JWK form is named', async () => {
    const { privateKey } = generateKeyPairSync('rsa-pss', { modulusLength: 2048 })
    const given = readGivenKeys(String(privateKey.export({ type: 'pkcs8', format: 'pem' }))).keys[0]
    expect(() => jwkOf(given)).toThrow(KeyFormatError)
    await expect(thumbprintOf(given)).rejects.toThrow('a key of the type rsa-pss has no JWK form')
    expect(pemOf(publicHalf(given))).toContain('BEGIN PUBLIC KEY')
  })

  it.runIf(findProgram('openssl'))('is read from what openssl writes, and openssl reads it', () => {
    const openssl = (args: readonly string[], input?: string) =>
      execFileSync(findProgram('openssl')!, args, {
        input,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
      })
    const made = openssl(['genpkey', '-algorithm', 'ED25519'])
    const given = readGivenKeys(made).keys[0]
    expect(openssl(['pkey', '-pubout'], pemOf(given))).toBe(pemOf(publicHalf(given)))
  })

  it.each([
    ['', /neither PEM nor JSON/],
    ['[]', /no member kty/],
    ['null', /no member kty/],
    ['{"kty":"RSA"}', /wrong or missing members/],
    ['{"kty":"oct","k":"!"}', /wrong or missing members/],
    ['{"keys":[]}', /no keys/],
    ['{"keys":[{"kty":"EC"}]}', /key 1 of the set/],
    ['-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----', /holds no key/],
    [
      String(
        pair.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
      ),
      /encrypted with a password/,
    ],
  ])('%j is refused', (text, problem) => {
    expect(() => readGivenKeys(text)).toThrow(KeyFormatError)
    expect(() => readGivenKeys(text)).toThrow(problem)
  })

  it('is read, or refused with a sentence, whatever the JSON', async () => {
    const members = fc.dictionary(fc.constantFrom('kty', 'k', 'd', 'n', 'x', 'crv', 'keys'), fc.jsonValue())
    await forAll(members, value => {
      try {
        readGivenKeys(JSON.stringify(value))
      } catch (error) {
        expect(error).toBeInstanceOf(KeyFormatError)
      }
    })
  })
})

it.each([
  ['a public key', publicHalf(one(RFC8037)), undefined, /the private one signs/],
  ['a short secret', one({ kty: 'oct', k: 'c2VjcmV0' }), undefined, /6 bytes; HS256 needs at least 32/],
  ['another algorithm', one(RFC8037), 'ES256', /by EdDSA, Ed25519/],
  ['a secret for a longer hash', one({ kty: 'oct', k: 'A'.repeat(43) }), 'HS512', /by HS256/],
  ['none', one(RFC8037), 'none', /cannot sign by none/],
])('signing by %s is refused', (_, key, alg, problem) => {
  expect(() => signingAlgorithm(key, alg)).toThrow(KeyFormatError)
  expect(() => signingAlgorithm(key, alg)).toThrow(problem)
})
