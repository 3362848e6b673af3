import type { FormPairs } from '../../protocol/http/form.js'
import { type HeaderList, type HttpResponse, jsonResponse } from '../../protocol/http/message.js'
import type { MacAlgorithm } from '../../protocol/oauth/mac.js'
import type { AcceptedAlgorithms } from '../../protocol/tokens/keys.js'

/** A protected path of the resource server, and the scope that it requires. */
export interface ResourceRoute {
  /** A literal path, beginning with a slash. */
  readonly path: string
  /** Methods in capitals. Absent: every method. GET includes HEAD. */
  readonly methods?: readonly string[]
  /** Scope values separated by spaces; the token must have all of them. Absent: any accepted token is enough. */
  readonly scope?: string
  /** The type of authorization details that the token must have (RFC 9396). Absent: none is needed. */
  readonly authorization_details?: string
  /** Classes of logins separated by spaces, the preferred one first; the token's acr must be one (RFC 9470 §3). Absent: any login. */
  readonly acr_values?: string
  /** Highest age of the login behind the token, in seconds (RFC 9470 §3). Absent: any age. */
  readonly max_age?: number
}

/** Routes of a lab file that names no routes. `/resource` always exists. */
export const DEFAULT_ROUTES: readonly ResourceRoute[] = [
  { path: '/records', methods: ['GET'], scope: 'records:read' },
  { path: '/records', methods: ['POST'], scope: 'records:write' },
  { path: '/payments', methods: ['POST'], authorization_details: 'payment_initiation' },
  { path: '/vault', methods: ['GET'], acr_values: 'urn:oauth-lab:acr:mfa', max_age: 300 },
]

/** The source of the verification keys. `discovery` is the one to use outside of the early stages. */
export type KeySettings =
  | { readonly kind: 'discovery' }
  /**
   * Stage key-pair: SubjectPublicKeyInfo PEM, or a certificate. Several blocks one after another while tokens of an
   * old key are still valid. A function when the PEM may change while the server runs.
   */
  | { readonly kind: 'public-key'; readonly pem: string | (() => string) }
  /** Stage shared-secret: HS256, at least 32 bytes. */
  | { readonly kind: 'shared-secret'; readonly secret: string }

/** The endpoint that tokens are introspected at (RFC 7662), and the credentials of this server there. */
export interface IntrospectionSettings {
  readonly endpoint: string
  readonly clientId: string
  readonly clientSecret: string
}

/** The settings of a resource server. */
export interface ResourceServerSettings {
  /** Base URL without a trailing slash: the resource identifier, and the address that DPoP proofs and MACs must name. */
  readonly baseUrl: string
  /** The issuer of accepted tokens, compared with `iss` as a string. */
  readonly issuer: string
  /** A token is accepted when its `aud` contains one of these. */
  readonly audiences: readonly string[]
  readonly routes: readonly ResourceRoute[]
  readonly keys: KeySettings
  /** True when the listener of this server asks for client certificates (RFC 8705 §3). */
  readonly asksForCertificates?: boolean
  /** The algorithms of DPoP proofs. Absent: every asymmetric one. */
  readonly proofAlgorithms?: AcceptedAlgorithms
  /** True when DPoP proofs need a nonce of this server (RFC 9449 §9). */
  readonly dpopNonceRequired?: boolean
  /** Absent: no token is introspected, so revoked tokens are accepted until they expire. */
  readonly introspection?: IntrospectionSettings
  /** Allowed difference between the clocks of the issuer and of this server, in seconds; default 0. */
  readonly tolerance?: number
}

/** Options of a fetch of a JSON document. */
export interface FetchJsonOptions {
  readonly signal: AbortSignal
  /** The id of the request that needs the document. Absent when no request needs it. */
  readonly cause?: number | undefined
}

/**
 * GETs a JSON document. Follows no redirect, limits the bytes of the body, and stops when `signal` aborts.
 * `body` is undefined when the response is not JSON. Rejects when there is no response.
 */
export type FetchJson = (
  url: string,
  options: FetchJsonOptions,
) => Promise<{ readonly status: number; readonly body: unknown }>

/**
 * POSTs a form. Follows no redirect, limits the bytes of the body, and stops when `signal` aborts. Rejects when there is
 * no response.
 */
export type PostForm = (
  url: string,
  form: FormPairs,
  options: FetchJsonOptions & { readonly headers: HeaderList },
) => Promise<HttpResponse>

/** A key for tokens of type `mac`, with the claims of its token. */
export interface MacKey {
  /** `mac_key` of the token response. */
  readonly key: string
  readonly algorithm: MacAlgorithm
  /** Milliseconds since the epoch. The ages in nonces count from this time. */
  readonly issuedAt: number
  /** The claims of the token, checked like the claims of a JWT. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Returns the key with a MAC id; undefined for an unknown, expired or revoked id. */
export type MacKeys = (id: string) => Promise<MacKey | undefined> | MacKey | undefined

/** The functions that the resource server gets from its surroundings. */
export interface ResourceServerPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly fetchJson: FetchJson
  /** Needed for introspection. */
  readonly postForm?: PostForm
  /** Absent: the MAC scheme is not offered. MAC keys are never published, so both servers have to share them. */
  readonly macKeys?: MacKeys
}

/** Longest request body, in body bytes. The HTTP adapter enforces the same limit while it reads the body. */
export const MAX_BODY_BYTES = 64 * 1024

/** The response of `/public`, which everybody gets. */
export const PUBLIC_ANSWER = jsonResponse(200, {
  message: 'Anyone may read this: no token is needed here, and none is checked.',
})
