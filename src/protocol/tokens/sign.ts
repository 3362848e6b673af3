import { CompactSign, type JWTPayload } from 'jose'
import type { SharedSecretKey, SigningKey } from './keys.js'

const encoder = new TextEncoder()

/** Signs claims as a compact JWS (RFC 7515 §3.1, RFC 7519 §7.1). `typ` is a header member; null leaves `typ` out. */
export async function signJwt(
  claims: JWTPayload,
  key: SigningKey | SharedSecretKey,
  typ: string | null = 'JWT',
): Promise<string> {
  const header = typ === null ? {} : { typ }
  const jws = new CompactSign(encoder.encode(JSON.stringify(claims)))
  return key.alg === 'HS256'
    ? jws.setProtectedHeader({ ...header, alg: key.alg }).sign(await key.signingKey)
    : jws.setProtectedHeader({ ...header, alg: key.alg, kid: key.kid }).sign(key.privateKey)
}
