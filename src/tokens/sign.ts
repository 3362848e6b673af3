import { type JWTPayload, SignJWT } from 'jose'
import type { SharedSecretKey, SigningKey } from './keys.js'

/** Signs claims as a compact JWS (RFC 7515 §3.1, RFC 7519 §7.1). `typ` is the header's type. */
export async function signJwt(
  claims: JWTPayload,
  key: SigningKey | SharedSecretKey,
  typ = 'JWT',
): Promise<string> {
  const jwt = new SignJWT(claims)
  return key.alg === 'RS256'
    ? jwt.setProtectedHeader({ typ, alg: key.alg, kid: key.kid }).sign(key.privateKey)
    : jwt.setProtectedHeader({ typ, alg: key.alg }).sign(key.secret)
}
