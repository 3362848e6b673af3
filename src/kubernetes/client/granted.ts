import type { BoundObjectReference } from '../shapes.js'
import type { ServiceAccountToken } from './service-account-token.js'

/** The token that was asked for. */
export interface Asked {
  readonly audiences: readonly string[]
  /** Seconds; undefined: the server's default. */
  readonly expirationSeconds?: number | undefined
  readonly binding?: BoundObjectReference | undefined
}

/** A granted token compared with the request. Its values come from the token itself, not from the answer around it. */
export interface Granted {
  /** Seconds the token lives. */
  readonly lifetime?: number
  /** The requested seconds. */
  readonly asked?: number
  readonly lifetimeChange: 'as_asked' | 'default' | 'shortened' | 'extended' | 'unknown'
  /** Seconds until the token should be renewed, when it names a time before its end. */
  readonly warnAfter?: number
  /** Requested audiences that are not in the token. */
  readonly missingAudiences: readonly string[]
  /** Servers that may be shown the token. */
  readonly acceptedBy: readonly Acceptor[]
}

/** A server that may be shown the token. */
export interface Acceptor {
  readonly name: string
  readonly accepts: 'yes' | 'no' | 'unless'
  /** The reason, unless it accepts the token. */
  readonly note?: string
  /** Options of `k8s token` that help, as words. */
  readonly fix?: readonly string[]
}

/** Seconds by which a lifetime may differ before it counts as changed: clocks and rounding. */
const TOLERANCE = 2

/**
 * Predicts if the API server accepts the token. Its own audiences cannot be queried: they are the issuer unless set otherwise, and a
 * token that was requested without an audience has all of them.
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
