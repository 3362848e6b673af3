import type { MacAlgorithm } from '../oauth/mac.js'

/** The requirements of a path of the resource server. */
export interface ResourceRoute {
  /** Literal, beginning with a slash. */
  readonly path: string
  /** In capitals; absent: every method. HEAD goes with GET. */
  readonly methods?: readonly string[]
  /** A scope value, all of which the token must have; absent: any accepted token will do. */
  readonly scope?: string
}

/** Routes that need a scope where the lab file names none. `/resource` is there in any case. */
export const DEFAULT_ROUTES: readonly ResourceRoute[] = [
  { path: '/records', methods: ['GET'], scope: 'records:read' },
  { path: '/records', methods: ['POST'], scope: 'records:write' },
]

/** The origin of the keys. `discovery` is all that a resource server should need. */
export type KeySettings =
  | { readonly kind: 'discovery' }
  /**
   * Stage key-pair: SubjectPublicKeyInfo PEM, or a certificate; several one after another while the tokens of an old
   * key are about. A function where it may become another one.
   */
  | { readonly kind: 'public-key'; readonly pem: string | (() => string) }
  /** Stage shared-secret: HS256, at least 32 bytes. */
  | { readonly kind: 'shared-secret'; readonly secret: string }

/** The settings of the resource server. */
export interface ResourceServerSettings {
  /** Its own base URL, no trailing slash: the resource identifier, and what DPoP proofs and MACs are made for. */
  readonly baseUrl: string
  /** The authority: compared with `iss` as a string. */
  readonly issuer: string
  /** A token is accepted when its `aud` holds one of these. */
  readonly audiences: readonly string[]
  readonly routes: readonly ResourceRoute[]
  readonly keys: KeySettings
  /** Allowed difference between the clocks of the authority and this server, in seconds; default 0. */
  readonly tolerance?: number
}

/** How a document is fetched. */
export interface FetchJsonOptions {
  readonly signal: AbortSignal
  /** The id of the request that needs the document; left out: no request does. */
  readonly cause?: number | undefined
}

/**
 * GETs a JSON document. Follows no redirect, reads a limited number of bytes and gives up when `signal` says so.
 * `body` is undefined where the answer is no JSON; rejects where no answer came.
 */
export type FetchJson = (
  url: string,
  options: FetchJsonOptions,
) => Promise<{ readonly status: number; readonly body: unknown }>

/** The key that belongs to the id of a token of type `mac`. */
export interface MacKey {
  /** `mac_key` of the token response. */
  readonly key: string
  readonly algorithm: MacAlgorithm
  /** Milliseconds since the epoch: ages in nonces count from here. */
  readonly issuedAt: number
  /** The claims that the token stands for, checked like those of a JWT. */
  readonly claims: Readonly<Record<string, unknown>>
}

/** Finds the key of a MAC id; undefined for an unknown, expired or revoked one. */
export type MacKeys = (id: string) => Promise<MacKey | undefined> | MacKey | undefined

/** The functions that the resource server needs from outside. */
export interface ResourceServerPorts {
  /** Milliseconds since the epoch. */
  readonly now: () => number
  /** `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  readonly fetchJson: FetchJson
  /** Absent: the MAC scheme is not offered. A MAC key cannot be published, so the two servers have to share it. */
  readonly macKeys?: MacKeys
}
