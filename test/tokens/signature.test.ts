import { createPublicKey, createSecretKey, generateKeyPairSync, KeyObject } from 'node:crypto'
import { CompactSign, generateKeyPair } from 'jose'
import { describe, expect, it } from 'vitest'
import { signatureProblem } from '../../src/tokens/signature.js'
import { exampleJwt, exampleRsaJwt, exampleRsaKey, exampleSecret } from './rfc.js'

type Parts = [string, string, string]
const parts = (token: string) => token.split('.') as Parts
const secret = createSecretKey(Buffer.from(exampleSecret, 'base64url'))
const rsa = createPublicKey({ key: exampleRsaKey, format: 'jwk' })
const text = new TextEncoder().encode('{"sub":"alice"}')

const asymmetric = [
  ...['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512'],
  ...['ES256', 'ES384', 'ES512', 'EdDSA', 'Ed25519'],
]

describe('signatureProblem', () => {
  it('verifies RFC 7515 A.1 and A.2', () => {
    expect(signatureProblem(parts(exampleJwt), 'HS256', secret)).toBeUndefined()
    expect(signatureProblem(parts(exampleRsaJwt), 'RS256', rsa)).toBeUndefined()
  })

  it('verifies RFC 8037 A.4', () => {
    const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo'
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
    const jws: Parts = [
      'eyJhbGciOiJFZERTQSJ9',
      'RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc',
      'hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg',
    ]
    expect(signatureProblem(jws, 'EdDSA', key)).toBeUndefined()
  })

  it.each(asymmetric)(
    'verifies what jose signs with %s, refuses it altered, and under any other name',
    async alg => {
      const { privateKey, publicKey } = await generateKeyPair(alg)
      const [header, payload, signature] = parts(
        await new CompactSign(text).setProtectedHeader({ alg }).sign(privateKey),
      )
      const key = KeyObject.from(publicKey)
      expect(signatureProblem([header, payload, signature], alg, key)).toBeUndefined()
      expect(signatureProblem([header, `${payload}A`, signature], alg, key)).toBe('not signed with this key')
      expect(signatureProblem([header, payload, `AAAA${signature.slice(4)}`], alg, key)).toBe(
        'not signed with this key',
      )
      const others = [...asymmetric, 'HS256', 'none', ''].filter(
        other => other !== alg && !(alg.startsWith('Ed') && other.startsWith('Ed')),
      )
      for (const other of others)
        expect(signatureProblem([header, payload, signature], other, key)).toBeDefined()
    },
  )

  it.each(['HS256', 'HS384', 'HS512'])('verifies what jose signs with %s, by the secret alone', async alg => {
    const signed = parts(await new CompactSign(text).setProtectedHeader({ alg }).sign(secret))
    expect(signatureProblem(signed, alg, secret)).toBeUndefined()
    expect(signatureProblem(signed, alg, createSecretKey(Buffer.alloc(64)))).toBe('not signed with this key')
    expect(signatureProblem(signed, alg, rsa)).toBe('this key: it is for another algorithm')
  })

  it('refuses every other way to write the last character of a signature', () => {
    const [header, payload, signature] = parts(exampleRsaJwt)
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const good = [...alphabet].filter(
      last => signatureProblem([header, payload, signature.slice(0, -1) + last], 'RS256', rsa) === undefined,
    )
    expect(good).toEqual([signature.at(-1)])
    for (const written of ['', '=', '.', ' ', '\n', '!', 'A=='].map(more => signature + (more || '='))) {
      expect(signatureProblem([header, payload, written], 'RS256', rsa)).toBeDefined()
    }
  })

  it('refuses a short RSA key, another curve, and names that objects are born with', () => {
    const short = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey
    expect(signatureProblem(parts(exampleRsaJwt), 'RS256', short)).toContain('2048 bits')
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey
    expect(signatureProblem(parts(exampleRsaJwt), 'ES256', p384)).toContain('another algorithm')
    for (const alg of ['toString', '__proto__', 'constructor']) {
      expect(signatureProblem(parts(exampleRsaJwt), alg, rsa)).toBe(`alg ${alg} is not accepted`)
    }
  })
})
