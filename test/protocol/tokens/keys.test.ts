import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  generateSigningKeyPem,
  loadSharedSecret,
  loadSigningKey,
  publicPem,
} from '../../../src/protocol/tokens/keys.js'
import { rsaPair, rsaThumbprint } from './rfc.js'

const rsaPem = createPrivateKey({ key: rsaPair, format: 'jwk' })
  .export({ type: 'pkcs8', format: 'pem' })
  .toString()

describe('loadSigningKey', () => {
  it('publishes the key of RFC 7638 §3.1 under its thumbprint, without private members', async () => {
    const key = await loadSigningKey(rsaPem)
    expect(key.kid).toBe(rsaThumbprint)
    expect(key.publicJwk).toEqual({
      kty: 'RSA',
      n: rsaPair.n,
      e: 'AQAB',
      kid: rsaThumbprint,
      use: 'sig',
      alg: 'RS256',
    })
  })

  it('writes the public half as SubjectPublicKeyInfo PEM', async () => {
    const pem = publicPem(await loadSigningKey(rsaPem))
    expect(pem).toMatch(/^-----BEGIN PUBLIC KEY-----\n/)
    expect(createPublicKey(pem).export({ format: 'jwk' })).toMatchObject({ n: rsaPair.n, e: 'AQAB' })
  })

  it('loads what generateSigningKeyPem makes: 2048 bits, PKCS#8', async () => {
    const pem = await generateSigningKeyPem()
    expect(pem).toMatch(/^-----BEGIN PRIVATE KEY-----\n/)
    expect(createPrivateKey(pem).asymmetricKeyDetails?.modulusLength).toBe(2048)
    expect((await loadSigningKey(pem)).alg).toBe('RS256')
  })

  it.each([
    ['a short RSA key', () => generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey],
    ['an Ed25519 key', () => generateKeyPairSync('ed25519').privateKey],
    ['an EC key', () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
    ['an RSA-PSS key', () => generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).privateKey],
  ])('refuses %s', async (_what, make) => {
    const pem = make().export({ type: 'pkcs8', format: 'pem' }).toString()
    await expect(loadSigningKey(pem)).rejects.toThrow('RSA key of at least 2048 bits')
  })

  it.each(['', 'no PEM', '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n'])(
    'refuses %j',
    pem => expect(loadSigningKey(pem)).rejects.toThrow(),
  )
})

describe('loadSharedSecret', () => {
  it('counts bytes, not characters (RFC 7518 §3.2)', () => {
    expect(loadSharedSecret('é'.repeat(16)).alg).toBe('HS256')
    expect(() => loadSharedSecret('a'.repeat(31))).toThrow('32 bytes')
  })

  it('makes a key that nobody can read again', async () => {
    const { signingKey } = loadSharedSecret('a'.repeat(32))
    expect(await signingKey).toMatchObject({ extractable: false, usages: ['sign'] })
  })
})
