import { generateKeyPairSync } from 'node:crypto'
import { CompactEncrypt } from 'jose'
import { describe, expect, it } from 'vitest'
import { openEncrypted } from '../../../src/flows/answers/open-encrypted.js'

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const seal = (alg: string, enc: string, key: typeof rsa.publicKey | Uint8Array) =>
  new CompactEncrypt(new TextEncoder().encode('a.b.c')).setProtectedHeader({ alg, enc }).encrypt(key)

describe('an encrypted id_token or userinfo', () => {
  it.each([
    ['RSA-OAEP', 'A128CBC-HS256', rsa],
    ['RSA-OAEP-256', 'A256GCM', rsa],
    ['ECDH-ES', 'A128GCM', ec],
    ['ECDH-ES+A256KW', 'A256CBC-HS512', ec],
  ] as const)('by %s and %s is opened with the private key', async (alg, enc, { publicKey, privateKey }) => {
    expect(await openEncrypted(await seal(alg, enc, publicKey), 'id_token', privateKey)).toBe('a.b.c')
  })

  it.each(['a.b.c', '', '{"sub":"alice"}', 'a.b.c.d', 'a.b.c.d.e.f'])('leaves %j as it is', async text => {
    expect(await openEncrypted(text, 'userinfo', rsa.privateKey)).toBe(text)
  })

  it('is refused without a key, with the option that names one', async () => {
    const jwe = await seal('ECDH-ES', 'A128GCM', ec.publicKey)
    await expect(openEncrypted(jwe, 'userinfo', undefined)).rejects.toThrow(
      'the userinfo is encrypted; name the private key:  --client-key FILE',
    )
  })

  it.each([
    [
      'for another key',
      () => seal('ECDH-ES', 'A128GCM', generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey),
    ],
    ['for a key of another kind', () => seal('RSA-OAEP', 'A128GCM', rsa.publicKey)],
    ['by a shared secret', () => seal('dir', 'A128GCM', new Uint8Array(16))],
    ['that is none', async () => 'e30.AAAA.AAAA.AAAA.AAAA'],
  ])('%s is refused', async (_, jwe) => {
    await expect(openEncrypted(await jwe(), 'id_token', ec.privateKey)).rejects.toMatchObject({
      code: 'invalid_response',
      message: expect.stringContaining('cannot be decrypted with --client-key'),
    })
  })
})
