import { createHash, createPrivateKey, createPublicKey } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { loadClientKey, signWith } from '../../../src/protocol/tokens/client-assertion.js'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import {
  fixedKeyring,
  loadSharedSecret,
  loadSigningKey,
  signJwt,
  spkiKid,
  verificationKeys,
} from '../../../src/protocol/tokens/keys.js'
import { verifyJwt } from '../../../src/protocol/tokens/verify.js'
import { ecKey } from './jwt-maker.js'
import { rsaPair } from './rfc.js'

const rsa = createPrivateKey({ key: rsaPair, format: 'jwk' })
const signing = await loadSigningKey(rsa.export({ type: 'pkcs8', format: 'pem' }).toString())
const shared = loadSharedSecret('0123456789abcdef0123456789abcdef')
const claims = { sub: 'alice', exp: 2_000_000_000 }
const now = 1_900_000_000_000

describe('a keyring of one key', () => {
  it('publishes the public half of a pair, the same object each time', () => {
    const keyring = fixedKeyring(signing)
    expect(keyring.current()).toBe(signing)
    expect(keyring.published()).toEqual({ keys: [signing.publicJwk] })
    expect(keyring.published()).toBe(keyring.published())
  })

  it('is verified with what it publishes, or with its secret', () => {
    const keyring = fixedKeyring(signing)
    expect(verificationKeys(keyring)).toEqual({ kind: 'jwks', jwks: keyring.published() })
    expect(verificationKeys(fixedKeyring(shared))).toEqual({ kind: 'key', key: shared.secret, alg: 'HS256' })
  })

  it('publishes nothing of a shared secret', () => {
    expect(fixedKeyring(shared).published()).toEqual({ keys: [] })
  })

  it.each([
    ['a pair', signing],
    ['a shared secret', shared],
  ])('verifies what it signs with %s', async (_, key) => {
    const keyring = fixedKeyring(key)
    const token = await signJwt(claims, keyring.current())
    expect((await verifyJwt(token, verificationKeys(keyring), { now })).ok).toBe(true)
  })

  it('makes a key of another algorithm when it is asked for one, and publishes it', async () => {
    const keyring = fixedKeyring(signing)
    const key = await keyring.signingKey('ES256')
    expect(await keyring.signingKey('ES256')).toBe(key)
    expect(await keyring.signingKey('RS256')).toBe(signing)
    expect(keyring.published().keys).toEqual([signing.publicJwk, key.publicJwk])
    expect(key.publicJwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
  })

  it('does not verify what another secret signed', async () => {
    const other = await signJwt(claims, loadSharedSecret('fedcba9876543210fedcba9876543210'))
    expect((await verifyJwt(other, verificationKeys(fixedKeyring(shared)), { now })).ok).toBe(false)
  })
})

describe('the header of a signed token', () => {
  it.each([
    ['at+jwt', 'at+jwt'],
    ['JWT', undefined],
  ])('has the type %s', async (typ, asked) => {
    expect(decodeJwt(await signJwt(claims, signing, asked)).header).toEqual({
      alg: 'RS256',
      kid: signing.kid,
      typ,
    })
    expect(decodeJwt(await signJwt(claims, shared, asked)).header).toEqual({ alg: 'HS256', typ })
  })

  it('has no type where none is wanted', async () => {
    expect(decodeJwt(await signJwt(claims, shared, null)).header).toEqual({ alg: 'HS256' })
  })

  it('names the key of a client only where it has a name', async () => {
    const jwk = { ...ecKey().privateKey.export({ format: 'jwk' }) }
    const named = await signWith(claims, loadClientKey(JSON.stringify({ ...jwk, kid: 'k1' })))
    expect(decodeJwt(named).header).toEqual({ typ: 'JWT', alg: 'ES256', kid: 'k1' })
    const nameless = await signWith(claims, loadClientKey(JSON.stringify(jwk)))
    expect(decodeJwt(nameless)).toMatchObject({ header: { typ: 'JWT', alg: 'ES256' }, claims })
    expect(decodeJwt(nameless).header).not.toHaveProperty('kid')
  })
})

it('the kid that Kubernetes gives a key is the SHA-256 of its SubjectPublicKeyInfo', () => {
  const der = createPublicKey(rsa).export({ type: 'spki', format: 'der' })
  expect(spkiKid(signing)).toBe(createHash('sha256').update(der).digest('base64url'))
})
