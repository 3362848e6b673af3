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
