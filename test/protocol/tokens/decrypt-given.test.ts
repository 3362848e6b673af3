import { createHash, createSecretKey, generateKeyPairSync } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { expect, it } from 'vitest'
import { decryptGiven, readGivenKeys } from '../../../src/protocol/tokens/given-keys.js'

/** RFC 7516 appendix A.3: AES Key Wrap, and AES-CBC with HMAC. */
const A3 = {
  key: { kty: 'oct', k: 'GawgguFyGrWKav7AX4VKUg' },
  jwe: 'eyJhbGciOiJBMTI4S1ciLCJlbmMiOiJBMTI4Q0JDLUhTMjU2In0.6KB707dM9YTIgHtLvtgWQ8mKwboJW3of9locizkDTHzBC2IlrT1oOQ.AxY8DCtDaGlsbGljb3RoZQ.KDlTtXchhZTGufMYmOYGS4HffxPSUrfmqCHXaI9wOGY.U0m_YmjN04DJvceFICbCVQ',
}
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const encrypt = (alg: string, enc: string, key: Parameters<CompactEncrypt['encrypt']>[0]) =>
  new CompactEncrypt(Buffer.from('hello')).setProtectedHeader({ alg, enc }).encrypt(key)

it('decrypts the example of RFC 7516 A.3', async () => {
  const { key } = readGivenKeys(JSON.stringify(A3.key)).keys[0]
  expect(text(await decryptGiven(A3.jwe, key))).toBe('Live long and prosper.')
})

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })

const x = generateKeyPairSync('x25519')

it.each([
  ['RSA-OAEP', 'A128CBC-HS256', rsa],
  ['RSA-OAEP-256', 'A256GCM', rsa],
  ['RSA-OAEP-384', 'A192CBC-HS384', rsa],
  ['RSA-OAEP-512', 'A192GCM', rsa],
  ['ECDH-ES', 'A128GCM', ec],
  ['ECDH-ES', 'A128GCM', x],
  ['ECDH-ES+A128KW', 'A128GCM', x],
  ['ECDH-ES+A192KW', 'A128GCM', ec],
  ['ECDH-ES+A256KW', 'A256CBC-HS512', ec],
])('decrypts %s with %s', async (alg, enc, { publicKey, privateKey }) => {
  expect(text(await decryptGiven(await encrypt(alg, enc, publicKey), privateKey))).toBe('hello')
})

// OpenID Connect Core §10.2: the key is the left of the SHA-2 hash of the client secret.
it.each([
  ['dir', 'A128GCM', 'sha256', 16],
  ['dir', 'A128CBC-HS256', 'sha256', 32],
  ['dir', 'A256CBC-HS512', 'sha512', 64],
  ['A256KW', 'A128GCM', 'sha256', 32],
])('makes a key for %s and %s of a client secret', async (alg, enc, hash, bytes) => {
  const secret = Buffer.from('a client secret of some length')
  const key = createHash(hash).update(secret).digest().subarray(0, bytes)
  expect(text(await decryptGiven(await encrypt(alg, enc, key), createSecretKey(secret)))).toBe('hello')
})

it('decrypts with a password', async () => {
  const secret = Buffer.from('wonderland')
  const jwe = await new CompactEncrypt(Buffer.from('hello'))
    .setProtectedHeader({ alg: 'PBES2-HS256+A128KW', enc: 'A128GCM' })
    .encrypt(secret)
  expect(text(await decryptGiven(jwe, createSecretKey(secret)))).toBe('hello')
})

it('refuses another key, the wrong kind of key, a public one, and a costly password hash', async () => {
  const jwe = await encrypt('RSA-OAEP-256', 'A256GCM', rsa.publicKey)
  const other = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey
  await expect(decryptGiven(jwe, other)).rejects.toThrow('for another key, or was changed')
  await expect(decryptGiven(jwe, createSecretKey(Buffer.alloc(32)))).rejects.toThrow(
    'the token is encrypted by "RSA-OAEP-256"; this secret key decrypts dir, A128KW',
  )
  await expect(decryptGiven(jwe, ec.privateKey)).rejects.toThrow('this ec key decrypts ECDH-ES, ')
  const signer = generateKeyPairSync('ed25519').privateKey
  await expect(decryptGiven(jwe, signer)).rejects.toThrow('this ed25519 key decrypts none')
  const old = `${Buffer.from('{"alg":"RSA1_5","enc":"A128GCM"}').toString('base64url')}.AAAA.AAAA.AAAA.AAAA`
  await expect(decryptGiven(old, rsa.privateKey)).rejects.toThrow('RSA1_5 is not accepted')
  await expect(decryptGiven(jwe, rsa.publicKey)).rejects.toThrow('the private one decrypts')
  const header = { alg: 'PBES2-HS256+A128KW', enc: 'A128GCM', p2s: 'AAAAAAAAAAA', p2c: 2_000_000_000 }
  const costly = `${Buffer.from(JSON.stringify(header)).toString('base64url')}.AAAA.AAAA.AAAA.AAAA`
  await expect(decryptGiven(costly, createSecretKey(Buffer.from('x')))).rejects.toThrow('cannot decrypt')
})

it('refuses content that is small until it is unpacked', async () => {
  const packed = (bytes: number) =>
    new CompactEncrypt(Buffer.alloc(bytes, 'a'))
      .setProtectedHeader({ alg: 'RSA-OAEP', enc: 'A128GCM', zip: 'DEF' })
      .encrypt(rsa.publicKey)
  expect(await decryptGiven(await packed(1000), rsa.privateKey)).toHaveLength(1000)
  await expect(decryptGiven(await packed(20_000_000), rsa.privateKey)).rejects.toThrow('cannot decrypt')
})
