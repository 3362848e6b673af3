import { type JWTPayload, SignJWT } from 'jose'
import type { ClientKey } from './client-assertion.js'

/** Signs claims with a private key that is not the server's own, by the algorithm that fits it (RFC 7519 §7.1). */
export async function signWith(claims: JWTPayload, { alg, kid, privateKey }: ClientKey): Promise<string> {
  const header = { typ: 'JWT', alg, ...(kid !== undefined && { kid }) }
  return new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
}
