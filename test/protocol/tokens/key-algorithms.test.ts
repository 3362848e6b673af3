import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { signatureAlgorithms } from '../../../src/protocol/tokens/keys.js'
import { rsaPair } from './rfc.js'

const curve = (namedCurve: string) => generateKeyPairSync('ec', { namedCurve })
const rsa = createPrivateKey({ key: rsaPair, format: 'jwk' })

describe('the signature algorithms of a key', () => {
  it.each<[string, KeyObject, string[]]>([
    ['a private RSA key', rsa, ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
    ['a public RSA key', createPublicKey(rsa), ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512']],
    ['an RSA key of 1024 bits', generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey, []],
    ['P-256', curve('P-256').publicKey, ['ES256']],
    ['P-384', curve('P-384').privateKey, ['ES384']],
    ['P-521', curve('P-521').publicKey, ['ES512']],
    ['secp256k1', curve('secp256k1').publicKey, []],
    ['Ed25519', generateKeyPairSync('ed25519').publicKey, ['EdDSA', 'Ed25519']],
    ['Ed448', generateKeyPairSync('ed448').publicKey, []],
    ['X25519', generateKeyPairSync('x25519').publicKey, []],
    ['a secret', createSecretKey(Buffer.alloc(32)), []],
  ])('of %s', (_kind, key, algorithms) => expect(signatureAlgorithms(key)).toEqual(algorithms))
})
