import { createPrivateKey, type JsonWebKey, type KeyObject } from 'node:crypto'
import { SignJWT } from 'jose'
import { isJsonObject } from '../oauth/json-object.js'
import { ASYMMETRIC_ALGORITHMS } from './verify.js'

/** The private key that a client authenticates with (`private_key_jwt`, OpenID Connect Core §9). */
export interface ClientKey {
  readonly alg: string
  /** Names the key in the header, when it has an id. */
  readonly kid?: string
  readonly privateKey: KeyObject
}

/** Lifetime of an assertion, in seconds. Each request gets its own assertion. */
export const ASSERTION_SECONDS = 60

const curveAlgorithms: Readonly<Record<string, string>> = {
  prime256v1: 'ES256',
  secp384r1: 'ES384',
  secp521r1: 'ES512',
}

/** Returns the usual algorithm of a key. @throws Error for a key that cannot sign */
function algorithmOf({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): string {
  const { modulusLength = 0, namedCurve = '' } = asymmetricKeyDetails
  switch (asymmetricKeyType) {
    case 'rsa':
    case 'rsa-pss':
      if (modulusLength < 2048) throw new Error(`an RSA key of ${modulusLength} bits is too short: 2048`)
      return asymmetricKeyType === 'rsa' ? 'RS256' : 'PS256'
    case 'ec': {
      const alg = curveAlgorithms[namedCurve]
      if (alg === undefined) throw new Error(`no signature algorithm for the curve ${namedCurve}`)
      return alg
    }
    case 'ed25519':
      return 'EdDSA'
    default:
      throw new Error(`a key of type ${asymmetricKeyType} signs nothing`)
  }
}

function parseJwk(text: string): Record<string, unknown> {
  let jwk: unknown
  try {
    jwk = JSON.parse(text)
  } catch {
    throw new Error('it is neither PEM nor JSON')
  }
  if (!isJsonObject(jwk)) throw new Error('it is no JWK')
  if ('keys' in jwk) throw new Error('it is a set of keys; write the private one alone into the file')
  if (!('d' in jwk)) throw new Error('it has no private part (d)')
  return jwk as Record<string, unknown>
}

function importKey(key: Parameters<typeof createPrivateKey>[0]): KeyObject {
  try {
    return createPrivateKey(key)
  } catch (error) {
    throw new Error(`it is no private key (${error instanceof Error ? error.message : 'unreadable'})`)
  }
}

/**
 * Loads a client's private key from PKCS#8 PEM or from a JWK, whose `alg` and `kid` are kept.
 * @throws Error that says what is wrong with the text
 */
export function loadClientKey(text: string): ClientKey {
  if (/-----BEGIN [A-Z ]*PRIVATE KEY-----/.test(text)) {
    const privateKey = importKey(text)
    return { alg: algorithmOf(privateKey), privateKey }
  }
  if (text.includes('-----BEGIN')) throw new Error('it is PEM, but no private key')
  const { alg, kid, ...jwk } = parseJwk(text)
  const privateKey = importKey({ key: jwk as JsonWebKey, format: 'jwk' })
  const usual = algorithmOf(privateKey)
  const named = typeof alg === 'string' ? alg : usual
  // An RSA key may name a PS algorithm. An EC key has exactly one algorithm.
  const fits = named === usual || (/^[RP]S/.test(named) && usual === 'RS256')
  if (!fits || !ASYMMETRIC_ALGORITHMS.includes(named)) throw new Error(`alg ${named} does not fit the key`)
  return { alg: named, privateKey, ...(typeof kid === 'string' && { kid }) }
}

/** Signs a client assertion (RFC 7523 §3), valid for one request and one minute. */
export async function makeClientAssertion(
  key: ClientKey,
  { clientId, audience }: { readonly clientId: string; readonly audience: string },
  ports: { readonly now: () => number; readonly random: (length: number) => Uint8Array },
): Promise<string> {
  const iat = Math.floor(ports.now() / 1000)
  const jti = Buffer.from(ports.random(16)).toString('base64url')
  const claims = { iss: clientId, sub: clientId, aud: audience, jti, iat, exp: iat + ASSERTION_SECONDS }
  const header = { typ: 'JWT', alg: key.alg, ...(key.kid !== undefined && { kid: key.kid }) }
  return new SignJWT(claims).setProtectedHeader(header).sign(key.privateKey)
}
