import { createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto'
import { expect, it } from 'vitest'
import { decodeJwt } from '../../../src/protocol/tokens/decode.js'
import { makeDpopProof, seededDpopKey } from '../../../src/protocol/tokens/dpop.js'
import { ed25519Key } from '../../../src/protocol/tokens/keys.js'

const hex = (text: string) => Buffer.from(text, 'hex')

it('ed25519Key is the key of RFC 8032 §7.1, test 2, with its signature', () => {
  const key = ed25519Key(hex('4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb'))
  const { x } = createPublicKey(key).export({ format: 'jwk' })
  expect(Buffer.from(x ?? '', 'base64url').toString('hex')).toBe(
    '3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c',
  )
  expect(sign(null, hex('72'), key).toString('hex')).toBe(
    '92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00',
  )
})

it('seededDpopKey makes the same proof of the same bytes, which verifies with the key in it', async () => {
  const ports = { now: () => 1_893_499_200_000, random: (length: number) => new Uint8Array(length) }
  const proofs = await Promise.all(
    [7, 7, 8].map(async byte => {
      const key = await seededDpopKey(new Uint8Array(32).fill(byte))
      return makeDpopProof(key, { method: 'POST', url: 'https://id.test/token' }, ports)
    }),
  )
  expect(proofs[0]).toBe(proofs[1])
  expect(proofs[2]).not.toBe(proofs[0])
  const { header, parts } = decodeJwt(proofs[0] ?? '')
  expect(header).toMatchObject({ alg: 'EdDSA', jwk: { kty: 'OKP', crv: 'Ed25519' } })
  const key = createPublicKey({ key: header.jwk as JsonWebKey, format: 'jwk' })
  expect(verify(null, Buffer.from(`${parts[0]}.${parts[1]}`), key, Buffer.from(parts[2], 'base64url'))).toBe(
    true,
  )
})
