/**
 * The algorithms that the server signs with, the default first. Each has a key of its own: a verifier accepts a JWK for its
 * `alg` alone, and a key is for one algorithm (RFC 8725 §3.1). `Ed25519` is the fully specified name of `EdDSA` (RFC 9864 §2.2).
 */
export const SIGNING_ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'] as const
export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number]

/** The algorithms of responses to one client. HS256 signs with the client's secret (OpenID Connect Core §10.1). */
export const RESPONSE_ALGORITHMS = [...SIGNING_ALGORITHMS, 'HS256'] as const
export type ResponseAlgorithm = (typeof RESPONSE_ALGORITHMS)[number]

/** The algorithms that encrypt a content key to a client, or agree on one with it (RFC 7518 §4.1). */
export const KEY_ENCRYPTIONS = [
  'RSA-OAEP-256',
  'RSA-OAEP',
  'ECDH-ES',
  'ECDH-ES+A128KW',
  'ECDH-ES+A256KW',
  'dir',
] as const
export type KeyEncryption = (typeof KEY_ENCRYPTIONS)[number]

/** The algorithms that encrypt content, the default first (RFC 7518 §5.1, OpenID Connect Registration §2). */
export const CONTENT_ENCRYPTIONS = ['A128CBC-HS256', 'A256CBC-HS512', 'A128GCM', 'A256GCM'] as const
export type ContentEncryption = (typeof CONTENT_ENCRYPTIONS)[number]

/** The kinds of responses that a client registers algorithms for (OpenID Connect Registration §2, RFC 9701 §6, JARM §3). */
export const RESPONSE_KINDS = ['id_token', 'userinfo', 'introspection', 'authorization'] as const
export type ResponseKind = (typeof RESPONSE_KINDS)[number]

/** The members of a client that name the algorithms of its responses. */
export type ResponseAlgorithms = {
  readonly [K in ResponseKind as `${K}_signed_response_alg`]?: ResponseAlgorithm | undefined
} & {
  readonly [K in ResponseKind as `${K}_encrypted_response_alg`]?: KeyEncryption | undefined
} & {
  readonly [K in ResponseKind as `${K}_encrypted_response_enc`]?: ContentEncryption | undefined
}

/** Returns the algorithms that the server's keys sign by for a client, its access tokens included. */
export function signingAlgorithms(
  client: ResponseAlgorithms & { readonly access_token_signing_alg?: SigningAlgorithm | undefined },
): readonly SigningAlgorithm[] {
  const named = RESPONSE_KINDS.map(kind => client[`${kind}_signed_response_alg`])
  return [...named, client.access_token_signing_alg].filter(
    alg => alg !== undefined && alg !== 'HS256',
  ) as SigningAlgorithm[]
}

/** The registered algorithms of one kind of response. */
export interface RegisteredAlgorithms {
  readonly alg: ResponseAlgorithm | undefined
  /** Absent: the response is not encrypted. */
  readonly encryption: { readonly alg: KeyEncryption; readonly enc: ContentEncryption } | undefined
}

/** Returns the algorithms of a client for one kind of response. */
export function registeredAlgorithms(client: ResponseAlgorithms, kind: ResponseKind): RegisteredAlgorithms {
  const alg = client[`${kind}_encrypted_response_alg`]
  const enc = client[`${kind}_encrypted_response_enc`] ?? CONTENT_ENCRYPTIONS[0]
  return {
    alg: client[`${kind}_signed_response_alg`],
    encryption: alg === undefined ? undefined : { alg, enc },
  }
}

/** Signature algorithms that are accepted with a public key: no `none`, no HMAC (RFC 8725 §3.1, §3.2). */
export const ASYMMETRIC_ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
] as const

/** HMAC algorithms of `client_secret_jwt`, with the fewest bytes of the secret that each needs (RFC 7518 §3.2). */
const LEAST_BYTES = { HS256: 32, HS384: 48, HS512: 64 } as const

/** An HMAC algorithm, whose key is the secret of a client. */
type SecretAlgorithm = keyof typeof LEAST_BYTES

/** The HMAC algorithms, weakest first. */
const SECRET_ALGORITHMS = Object.keys(LEAST_BYTES) as readonly SecretAlgorithm[]

/** The algorithms of client assertions (OpenID Connect Core §9): by a key of the client, or by its secret. */
export const CLIENT_ASSERTION_ALGORITHMS = [...ASYMMETRIC_ALGORITHMS, ...SECRET_ALGORITHMS] as const

/** The algorithm of a client's assertions. */
export type ClientAssertionAlgorithm = (typeof CLIENT_ASSERTION_ALGORITHMS)[number]

/** True for an algorithm whose key is the secret of the client. */
export function isSecretAlgorithm(alg: unknown): alg is SecretAlgorithm {
  return SECRET_ALGORITHMS.some(each => each === alg)
}

/** Returns the algorithms that a secret is long enough for. */
export function algorithmsOfSecret(secret: string): readonly SecretAlgorithm[] {
  const bytes = Buffer.byteLength(secret)
  return SECRET_ALGORITHMS.filter(alg => bytes >= LEAST_BYTES[alg])
}

/** The algorithms of signatures (FAPI 2.0 Security Profile §5.4.1-1). Ed25519 is EdDSA by its newer name (RFC 9864 §2.2). */
export const FAPI2_ALGORITHMS: readonly SigningAlgorithm[] = ['PS256', 'ES256', 'EdDSA', 'Ed25519']

/** Signature algorithms of request objects. `none`: the object is not signed (OpenID Connect Core §6.1). */
export const REQUEST_OBJECT_ALGORITHMS = [...ASYMMETRIC_ALGORITHMS, 'HS256', 'none'] as const
export type RequestObjectAlgorithm = (typeof REQUEST_OBJECT_ALGORITHMS)[number]

/** The kind of key that an encryption algorithm needs at the server. `dir` needs the client's secret instead. */
export type EncryptionKeyKind = 'RSA' | 'EC'

/** Returns the kind of the server's key for an algorithm; undefined for `dir` and unknown ones. */
export function encryptionKeyKind(alg: unknown): EncryptionKeyKind | undefined {
  if (typeof alg !== 'string') return undefined
  if (alg.startsWith('RSA-OAEP')) return 'RSA'
  return alg.startsWith('ECDH-ES') ? 'EC' : undefined
}
