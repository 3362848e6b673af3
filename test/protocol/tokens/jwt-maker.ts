import { constants, createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { rsaPair } from '../../support/rsa-keys.js'

/** Keys and JWTs made with node:crypto alone, apart from the library that verifies them. */
export interface TestKey {
  readonly alg: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
  readonly publicJwk: Record<string, unknown>
}

export function ecKey(kid?: string): TestKey {
  return testKey('ES256', generateKeyPairSync('ec', { namedCurve: 'P-256' }), kid)
}

export function rsaKey(kid?: string, alg = 'RS256', modulusLength = 2048): TestKey {
  return testKey(alg, generateKeyPairSync('rsa', { modulusLength }), kid)
}

/** The known RSA key of this number, which takes no time to make. */
export function knownRsaKey(key: 1 | 2 | 3, kid?: string, alg = 'RS256'): TestKey {
  return testKey(alg, rsaPair(key), kid)
}

export function edKey(kid?: string): TestKey {
  return testKey('EdDSA', generateKeyPairSync('ed25519'), kid)
}

function testKey(alg: string, pair: { privateKey: KeyObject; publicKey: KeyObject }, kid?: string): TestKey {
  const jwk = pair.publicKey.export({ format: 'jwk' }) as Record<string, unknown>
  return { alg, ...pair, publicJwk: kid === undefined ? jwk : { ...jwk, kid } }
}

export const part = (value: unknown) =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

/** A JWT; `header` and `claims` may be JSON text, to say what JSON.stringify would not. */
export function makeJwt(key: TestKey, header: object | string, claims: object | string): string {
  const input = `${part(typeof header === 'string' ? header : { alg: key.alg, ...header })}.${part(claims)}`
  return `${input}.${signature(key, Buffer.from(input))}`
}

/** A JWT whose signature is the HMAC of `secret`. */
export function makeHmacJwt(secret: string, header: object, claims: object): string {
  const input = `${part({ alg: 'HS256', ...header })}.${part(claims)}`
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`
}

function signature({ alg, privateKey }: TestKey, input: Buffer): string {
  if (alg === 'EdDSA') return sign(null, input, privateKey).toString('base64url')
  const padding = alg.startsWith('PS')
    ? { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
    : {}
  const options = { key: privateKey, dsaEncoding: 'ieee-p1363' as const, ...padding }
  return sign(`sha${alg.slice(2)}`, input, options).toString('base64url')
}
