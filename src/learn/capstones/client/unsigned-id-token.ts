import type { IdTokenLie } from './liar.js'

const HEADER = Buffer.from(JSON.stringify({ alg: 'none', typ: 'JWT' })).toString('base64url')

/** RFC 8725 §2.1. A client may leave a wrong signature unchecked over TLS (OpenID Connect Core §3.1.3.7), so that is no lie. */
export const unsignedIdToken: IdTokenLie = idToken => `${HEADER}.${idToken.split('.')[1] ?? ''}.`
