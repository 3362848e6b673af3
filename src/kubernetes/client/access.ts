/** How a client proves who it is. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string; readonly from: string }
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string; readonly from: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string; readonly from: string }

/** How to reach a cluster, and as whom. */
export interface ClusterAccess {
  /** Base URL of the API server, no trailing slash. */
  readonly server: string
  /** The source of this access, for people: `the running lab`, `context dev of /home/me/.kube/config`. */
  readonly via: string
  /** The namespace that is meant when none is named. */
  readonly namespace?: string
  /** Certificate authorities to trust, PEM, beside those that Node trusts. */
  readonly caPem?: string
  /** Trusts `caPem` alone, as a kubeconfig or a pod that names an authority asks for. */
  readonly pinned?: boolean
  /** Accept any certificate. */
  readonly insecure?: boolean
  /** The name to expect in the certificate, instead of the host of `server`. */
  readonly serverName?: string
  /** An HTTP proxy, http or https. */
  readonly proxyUrl?: string
  readonly credential: Credential
  /** Options of kubectl that reach the same cluster as the same person. */
  readonly kubectl: readonly KubectlWord[]
}

/** A word of a kubectl command line; `shell` is written as it is. */
export type KubectlWord = string | { readonly shell: string }

/** True for a bearer token that fits into a header: RFC 6750 §2.1 without its padding rule. */
export function isBearer(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}
