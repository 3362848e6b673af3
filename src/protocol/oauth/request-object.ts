import { ASYMMETRIC_ALGORITHMS } from './asymmetric-algorithms.js'
import type { ContentEncryption, KeyEncryption } from './response-algorithms.js'

/** Signature algorithms of request objects. `none`: the object is not signed (OpenID Connect Core §6.1). */
export const REQUEST_OBJECT_ALGORITHMS = [...ASYMMETRIC_ALGORITHMS, 'HS256', 'none'] as const
export type RequestObjectAlgorithm = (typeof REQUEST_OBJECT_ALGORITHMS)[number]

/** The media type of a request object without `application/`, for `typ` (RFC 9101 §10.8). */
export const REQUEST_OBJECT_TYPE = 'oauth-authz-req+jwt'

/** Claims of a JWT that are no parameters of the authorization request (RFC 7519 §4.1). */
export const JWT_CLAIMS: readonly string[] = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti']

/** The members of a client about request objects (OpenID Connect Registration §2, RFC 9101 §10.5). */
export interface RequestObjectRegistration {
  /** The only algorithm of the client's request objects. Absent: each that its keys or its secret allow. */
  readonly request_object_signing_alg?: RequestObjectAlgorithm | undefined
  /** An algorithm that the client encrypts request objects with. The server publishes a key for it. */
  readonly request_object_encryption_alg?: KeyEncryption | undefined
  readonly request_object_encryption_enc?: ContentEncryption | undefined
  /** True when every request of the client is a signed request object. */
  readonly require_signed_request_object?: boolean | undefined
  /** True when request objects need aud, exp and nbf, live for an hour at most, and are accepted once. */
  readonly strict_request_objects?: boolean | undefined
  /** The addresses of the client's request objects. */
  readonly request_uris?: readonly string[] | undefined
}

/** The kind of key that an encryption algorithm needs at the server. `dir` needs the client's secret instead. */
export type EncryptionKeyKind = 'RSA' | 'EC'

/** Returns the kind of the server's key for an algorithm; undefined for `dir` and unknown ones. */
export function encryptionKeyKind(alg: unknown): EncryptionKeyKind | undefined {
  if (typeof alg !== 'string') return undefined
  if (alg.startsWith('RSA-OAEP')) return 'RSA'
  return alg.startsWith('ECDH-ES') ? 'EC' : undefined
}

/** Returns the kinds of keys that clients encrypt request objects to. */
export function wantedEncryptionKeys(
  clients: readonly RequestObjectRegistration[],
): readonly EncryptionKeyKind[] {
  const kinds = clients.map(each => encryptionKeyKind(each.request_object_encryption_alg))
  return (['RSA', 'EC'] as const).filter(kind => kinds.includes(kind))
}
