import type { BoundObjectReference, TokenRequest } from '../shapes.js'
import type { ServiceAccountToken } from './service-account-token.js'

/** The request for a token. */
export interface Asked {
  readonly audiences: readonly string[]
  /** The lifetime in seconds. Undefined for the default of the server. */
  readonly expirationSeconds?: number | undefined
  readonly binding?: BoundObjectReference | undefined
}

/** The comparison of a granted token with the request. The values come from the token itself, not from the answer around it. */
export interface Granted {
  /** The lifetime of the token, in seconds. */
  readonly lifetime?: number
  /** The requested lifetime, in seconds. */
  readonly asked?: number
  readonly lifetimeChange: 'as_asked' | 'default' | 'shortened' | 'extended' | 'unknown'
  /** The seconds until the token should be renewed. Present when the token names such a time. */
  readonly warnAfter?: number
  /** Requested audiences that are not in the token. */
  readonly missingAudiences: readonly string[]
  /** Servers that may receive the token. */
  readonly acceptedBy: readonly Acceptor[]
}

/** A server that may receive the token. */
export interface Acceptor {
  readonly name: string
  readonly accepts: 'yes' | 'no' | 'unless'
  /** The reason why the server may refuse the token. */
  readonly note?: string
  /** Options of `k8s token` that help, as arguments. */
  readonly fix?: readonly string[]
}

/** The tolerance for differences in lifetime, in seconds: clocks differ and servers round. */
const TOLERANCE = 2

/**
 * Predicts whether the API server accepts the token. Its audiences cannot be queried. By default they are the issuer, and a token that was requested
 * without an audience has all of them.
 */
function apiServer(asked: Asked, { audiences, issuer }: ServiceAccountToken): Acceptor {
  const name = 'the API server'
  if (asked.audiences.length === 0 || (issuer !== undefined && audiences.includes(issuer))) {
    return { name, accepts: 'yes' }
  }
  return {
    name,
    accepts: 'unless',
    note: 'it answers 401 unless its --api-audiences name one of these',
    ...(issuer !== undefined && { fix: [...audiences, issuer].flatMap(each => ['--audience', each]) }),
  }
}

function lifetimeChange(asked: number | undefined, lifetime: number | undefined): Granted['lifetimeChange'] {
  if (lifetime === undefined) return 'unknown'
  if (asked === undefined) return 'default'
  if (Math.abs(asked - lifetime) <= TOLERANCE) return 'as_asked'
  return lifetime < asked ? 'shortened' : 'extended'
}

/** Compares a token with its request. */
export function compareGranted(asked: Asked, token: ServiceAccountToken): Granted {
  const { issuedAt, expires, warnAfter, audiences } = token
  const lifetime = issuedAt === undefined || expires === undefined ? undefined : expires - issuedAt
  const { expirationSeconds } = asked
  return {
    ...(lifetime !== undefined && { lifetime }),
    ...(expirationSeconds !== undefined && { asked: expirationSeconds }),
    lifetimeChange: lifetimeChange(expirationSeconds, lifetime),
    ...(warnAfter !== undefined && issuedAt !== undefined && { warnAfter: warnAfter - issuedAt }),
    missingAudiences: asked.audiences.filter(each => !audiences.includes(each)),
    acceptedBy: [
      ...audiences.filter(each => each !== token.issuer).map((name): Acceptor => ({ name, accepts: 'yes' })),
      apiServer(asked, token),
    ],
  }
}

const NEWEST = 'client.authentication.k8s.io/v1'

/** Returns the version that the caller of a credential plugin requests. Returns the newest version when the caller names none. */
function wantedVersion(info: string | undefined): string {
  try {
    const { apiVersion } = JSON.parse(info ?? '') ?? {}
    return /^client\.authentication\.k8s\.io\/v1(beta1)?$/.test(apiVersion) ? apiVersion : NEWEST
  } catch {
    return NEWEST
  }
}

/**
 * Returns a token in the form that kubectl expects from a credential plugin.
 * @param info the value of KUBERNETES_EXEC_INFO
 */
export function execCredential(status: TokenRequest['status'], info: string | undefined): object {
  return {
    kind: 'ExecCredential',
    apiVersion: wantedVersion(info),
    spec: { interactive: false },
    status: { expirationTimestamp: status?.expirationTimestamp, token: status?.token },
  }
}
