import type { IdTokenLie } from './liar.js'

const HEADER = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')

/**
 * The same claims without a signature (RFC 8725 §2.1). A wrong signature is no lie that a client must notice: over TLS
 * from the token endpoint it may leave the signature out (OpenID Connect Core §3.1.3.7), as many libraries do.
 */
export const unsignedIdToken: IdTokenLie = idToken => `${HEADER}.${idToken.split('.')[1] ?? ''}.`
