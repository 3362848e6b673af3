import { constants, createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto'

/** How an algorithm verifies (RFC 7518 §3.1, RFC 8037 §3.1), and the one kind of key it takes. */
interface Algorithm {
  readonly type: 'rsa' | 'ec' | 'ed25519' | 'secret'
  readonly hash: string | null
  readonly curve?: string
  readonly padding?: number
}

const PSS = constants.RSA_PKCS1_PSS_PADDING

const algorithms: Readonly<Record<string, Algorithm>> = {
  HS256: { type: 'secret', hash: 'sha256' },
  HS384: { type: 'secret', hash: 'sha384' },
  HS512: { type: 'secret', hash: 'sha512' },
  RS256: { type: 'rsa', hash: 'sha256' },
  RS384: { type: 'rsa', hash: 'sha384' },
  RS512: { type: 'rsa', hash: 'sha512' },
  PS256: { type: 'rsa', hash: 'sha256', padding: PSS },
  PS384: { type: 'rsa', hash: 'sha384', padding: PSS },
  PS512: { type: 'rsa', hash: 'sha512', padding: PSS },
  ES256: { type: 'ec', hash: 'sha256', curve: 'prime256v1' },
  ES384: { type: 'ec', hash: 'sha384', curve: 'secp384r1' },
  ES512: { type: 'ec', hash: 'sha512', curve: 'secp521r1' },
  EdDSA: { type: 'ed25519', hash: null },
  Ed25519: { type: 'ed25519', hash: null },
}

/**
 * What is wrong with a signature; undefined where it is good. It is verified in place: handing a token to the
 * thread pool takes longer than verifying it.
 * @param parts of the token, as they were written
 * @param named what to call the key
 */
export function signatureProblem(
  [header, payload, signature]: readonly [string, string, string],
  alg: string,
  key: KeyObject,
  named = 'this key',
): string | undefined {
  const algorithm = Object.hasOwn(algorithms, alg) ? algorithms[alg] : undefined
  if (algorithm === undefined) return `alg ${alg} is not accepted`
  const unfit = keyProblem(key, algorithm)
  if (unfit !== undefined) return `${named}: ${unfit}`
  const raw = Buffer.from(signature, 'base64url')
  // The last character has bits to spare: without this, an altered token could pass (RFC 7515 §2).
  if (raw.toString('base64url') !== signature) return 'the signature is not base64url without padding'
  const good = signed(Buffer.from(`${header}.${payload}`, 'ascii'), raw, algorithm, key)
  return good ? undefined : `not signed with ${named}`
}

function keyProblem(key: KeyObject, { type, curve }: Algorithm): string | undefined {
  const found = key.type === 'secret' ? 'secret' : key.asymmetricKeyType
  const { namedCurve, modulusLength = 0 } = key.asymmetricKeyDetails ?? {}
  if (found !== type || namedCurve !== curve) return 'it is for another algorithm'
  if (type === 'rsa' && modulusLength < 2048) return 'it has fewer than 2048 bits (RFC 7518 §3.3)'
  return undefined
}

function signed(input: Buffer, signature: Buffer, algorithm: Algorithm, key: KeyObject): boolean {
  const { type, hash, padding } = algorithm
  if (type === 'secret') {
    const mac = createHmac(hash ?? '', key)
      .update(input)
      .digest()
    return mac.length === signature.length && timingSafeEqual(mac, signature)
  }
  const saltLength = constants.RSA_PSS_SALTLEN_DIGEST
  const options = padding === undefined ? {} : { padding, saltLength }
  return verify(hash, input, { key, dsaEncoding: 'ieee-p1363', ...options }, signature)
}
