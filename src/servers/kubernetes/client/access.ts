import { decodeIfJwt } from '../../../protocol/tokens/decode.js'
import {
  LEEWAY,
  mintCommand,
  readServiceAccountToken,
  type ServiceAccountToken,
} from './service-account-token.js'

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

/** Returns the caller's own token when it belongs to a service account. */
function ownToken({ credential }: ClusterAccess): ServiceAccountToken | undefined {
  const jwt = credential.kind === 'bearer' ? decodeIfJwt(credential.token) : undefined
  return jwt && readServiceAccountToken(jwt)
}

/** An argument that needs no quotes in a shell. */
const PLAIN = /^[\w:/.@-]+$/

/** Returns the command for a token with these audiences. Returns no line when an argument would need quotes. */
function mint(token: ServiceAccountToken, audiences: readonly string[]): string[] {
  const words = mintCommand(token, audiences, { bound: false })
  return words.every(each => PLAIN.test(each)) ? [words.join(' ')] : []
}

/**
 * Finds the reason of a 401 in the caller's own token. The API server writes the reason only to its log.
 * @param now milliseconds since the epoch
 * @returns no lines when the token shows no reason
 */
export function ownTokenHints(access: ClusterAccess, now: number): string[] {
  const token = ownToken(access)
  if (token === undefined) return []
  const { audiences, issuer, expires } = token
  if (expires !== undefined && now > (expires + LEEWAY) * 1000) {
    const at = new Date(expires * 1000)
    const when = Number.isNaN(at.getTime()) ? '' : ` at ${at.toISOString()}`
    return [`It expired${when}: a file that the kubelet keeps has to be read again before each use.`]
  }
  if (issuer === undefined || audiences.length === 0 || audiences.includes(issuer)) return []
  return [
    `Its audience is ${audiences.join(', ')}; an API server accepts its own ones, usually ${issuer}. For both:`,
    ...mint(token, [...audiences, issuer]).map(each => `  ${each}`),
  ]
}
