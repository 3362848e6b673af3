import type { Keyring, VerificationKeys } from '../../../protocol/tokens/keys.js'

/** Longest body, in bytes; the real server's own limit. */
export const MAX_BODY_BYTES = 3 * 1024 * 1024

/** A bearer token that stands for a person (the real server's token file). */
interface StaticToken {
  readonly token: string
  readonly username: string
  readonly uid?: string
  /** `system:masters` may do everything; `system:authenticated` is added. */
  readonly groups: readonly string[]
}

/** An issuer whose ID tokens the cluster accepts (kube-apiserver, `--oidc-issuer-url` and its options). */
export interface OidcIssuer {
  readonly issuer: string
  /** The audience that its tokens must name. */
  readonly clientId: string
  readonly usernameClaim: string
  /** Left out: the issuer and `#`, or nothing before an e-mail address; `-`: nothing. */
  readonly usernamePrefix?: string
  /** Left out: tokens name no groups. */
  readonly groupsClaim?: string
  /** Left out: nothing. */
  readonly groupsPrefix?: string
}

/** The published keys of an issuer. */
export interface IssuerKeys {
  /** @throws where they cannot be fetched */
  current(): Promise<VerificationKeys>
  /** Returns newer keys for a token whose key is not in `seen`, or `seen`. @throws where they cannot be fetched */
  newerThan(seen: VerificationKeys): Promise<VerificationKeys>
}

/** The initial objects of a namespace. */
interface NamespaceContents {
  readonly serviceAccounts: readonly string[]
  readonly pods: readonly { readonly name: string; readonly serviceAccount: string; readonly node?: string }[]
  readonly secrets: readonly string[]
  /** Users who may do everything in the namespace. Left out: none. */
  readonly admins?: readonly string[]
}

/** The settings of the cluster. */
export interface ClusterSettings {
  /** Its address, without a trailing slash. */
  readonly baseUrl: string
  /** `iss` of its tokens. */
  readonly issuer: string
  /** Audiences that the API server itself accepts, and the default of token requests; empty: the issuer. */
  readonly apiAudiences: readonly string[]
  /** Longest lifetime that a token request is granted, in seconds. */
  readonly maxTokenExpiration: number
  /** True when the token of a mounted volume (3607 s, bound to a pod) outlives the requested time by a year. */
  readonly extendedExpiration: boolean
  /** True when anyone may read the issuer's metadata and keys. */
  readonly publicDiscovery: boolean
  /** True when requests without credentials are those of `system:anonymous`; else they are refused with 401. */
  readonly anonymous: boolean
  readonly namespaces: Readonly<Record<string, NamespaceContents>>
  readonly nodes: readonly string[]
  readonly tokens: readonly StaticToken[]
  /** Issuers whose ID tokens are accepted. */
  readonly oidc: readonly OidcIssuer[]
  /** PEM of the CA that clients of the API server trust, for secrets that hold tokens; left out: such secrets have none. */
  readonly caPem?: string
}

/** The functions that the cluster needs from outside. */
export interface ClusterPorts {
  /** Milliseconds since the epoch; the one clock for signing and validating. */
  readonly now: () => number
  /** `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** The keys of this cluster, made at the first call; `kid` is base64url(SHA-256(SPKI)). */
  readonly keyring: () => Promise<Keyring>
  /** Returns the keys of a trusted issuer. Left out: no ID token is accepted. */
  readonly issuerKeys?: (issuer: string) => IssuerKeys
}

/** The group of the lab whose members may have tokens reviewed. */
export const REVIEWERS = 'oauth-lab:reviewers'

/** The audiences of the API server. */
export function apiAudiencesOf({ apiAudiences, issuer }: ClusterSettings): readonly string[] {
  return apiAudiences.length === 0 ? [issuer] : apiAudiences
}

/**
 * The issuer of a lab that is embedded in a command. It is constant, whatever free port the lab listens on, as
 * `https://kubernetes.default.svc.cluster.local` is constant in real clusters. A served lab uses its own address as issuer.
 *
 * All labs of one state folder agree on four things. A token of one process therefore reviews as authenticated in the next, even when no lab runs in
 * between (`k8s token | k8s review -`):
 * - embedded labs have this issuer;
 * - the signing keys of the cluster are stored in the state folder, like the keys of the authorization server;
 * - the uid of an object from the lab file follows from its kind, namespace and name;
 * - the API audiences default to the issuer.
 *
 * Clients fetch discovery and keys from the address of the API server, never from this issuer.
 */
export const EMBEDDED_ISSUER = 'https://localhost:8445'

/** Seconds by which a mounted token outlives the requested time. */
export const EXTENDED_LIFETIME = 365 * 24 * 60 * 60

/** The default lifetime that the kubelet requests, in seconds. The server recognises a mounted token by it. */
export const MOUNTED_LIFETIME = 3607
