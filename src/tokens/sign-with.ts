import { type JWTPayload, SignJWT } from 'jose'
import type { ClientKey } from './client-assertion.js'

/** Signs claims with a private key other than the server's, with the key's own algorithm (RFC 7519 §7.1). */
export async function signWith(claims: JWTPayload, { alg, kid, privateKey }: ClientKey): Promise<string> {
  const header = { typ: 'JWT', alg, ...(kid !== undefined && { kid }) }
  return new SignJWT(claims).setProtectedHeader(header).sign(privateKey)
}
