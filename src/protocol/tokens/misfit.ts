import type { JWK } from 'jose'
import type { JsonObject } from '../oauth/json-object.js'

/** Most names of keys in a message. */
const MAX_NAMES = 5

/** The type and the curve of the keys of an algorithm (RFC 7518 §3.1, RFC 8037 §3.1). */
function wantedBy(alg: unknown): Pick<JWK, 'kty' | 'crv'> {
  if (alg === 'EdDSA' || alg === 'Ed25519') return { kty: 'OKP', crv: 'Ed25519' }
  const crv = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' }[String(alg)]
  return crv === undefined ? { kty: 'RSA' } : { kty: 'EC', crv }
}

/** Returns the member of a key that keeps it from verifying this algorithm, with its value. */
function obstacle(key: JWK, alg: unknown): string {
  const { kty, crv } = wantedBy(alg)
  if (key.use !== undefined && key.use !== 'sig') return `use ${key.use}`
  if (key.key_ops !== undefined && !key.key_ops.includes('verify')) return 'no verify among its key_ops'
  if (key.kty !== kty) return `kty ${key.kty}`
  if (crv !== undefined && key.crv !== crv) return `crv ${key.crv}`
  return `alg ${key.alg}`
}

/**
 * Returns why no key of a set fits a token: the keys have other names, or the member of the one key that is meant
 * (RFC 7515 §4.1.4, RFC 7517 §4.2 to §4.4).
 */
export function misfitOf(keys: readonly JWK[], { alg, kid }: JsonObject): string {
  if (keys.length === 0) return 'the set has no key for signatures'
  const named = kid === undefined ? keys : keys.filter(each => each.kid === kid)
  const [only, ...others] = named
  if (only !== undefined && others.length === 0) return `the key has ${obstacle(only, alg)}`
  if (only !== undefined) return `none of the ${named.length} keys is for it`
  const names = keys.slice(0, MAX_NAMES).map(each => each.kid ?? 'a key without a name')
  return `the set has ${names.join(', ')}${keys.length > MAX_NAMES ? ' and others' : ''}`
}
