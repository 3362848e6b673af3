/** The credential of a client. */
export type Credential =
  | { readonly kind: 'none' }
  | { readonly kind: 'bearer'; readonly token: string; readonly from: string }
  | { readonly kind: 'certificate'; readonly cert: string; readonly key: string; readonly from: string }
  | { readonly kind: 'basic'; readonly username: string; readonly password: string; readonly from: string }

/** The address of a cluster and the credential for it. */
export interface ClusterAccess {
  /** The base URL of the API server, without a final slash. */
  readonly server: string
  /** The source of this access, for messages: `the running lab`, `context dev of /home/me/.kube/config`. */
  readonly via: string
  /** The namespace to use when a command names none. */
  readonly namespace?: string
  /** PEM certificate authorities to trust, beside the authorities that Node trusts. */
  readonly caPem?: string
  /** True to trust `caPem` alone, as a kubeconfig or a pod with an authority requires. */
  readonly pinned?: boolean
  /** True to accept any certificate. */
  readonly insecure?: boolean
  /** The name to expect in the certificate, instead of the host of `server`. */
  readonly serverName?: string
  /** The URL of an HTTP proxy, http or https. */
  readonly proxyUrl?: string
  readonly credential: Credential
  /** The options of kubectl that reach the same cluster with the same credential. */
  readonly kubectl: readonly KubectlWord[]
}

/** An argument of a kubectl command line. `shell` is printed without quotes. */
export type KubectlWord = string | { readonly shell: string }

/** True for a bearer token that fits into a header (RFC 6750 §2.1 without its padding rule). */
export function isBearer(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token)
}
