import type { BoundObjectReference } from '../shapes.js'
import type { ServiceAccountToken } from './service-account-token.js'

/** The requested properties of a token. */
export interface Asked {
  readonly audiences: readonly string[]
  /** Seconds; undefined: the server's default. */
  readonly expirationSeconds?: number
  readonly binding?: BoundObjectReference
}

/**
 * The properties of a granted token beside the requested ones. They come from the token itself, not from the answer
 * around it.
 */
export interface Granted {
  /** Seconds the token lives. */
  readonly lifetime?: number
  /** Seconds that were asked for. */
  readonly asked?: number
  readonly lifetimeChange: 'as_asked' | 'default' | 'shortened' | 'extended' | 'unknown'
  /** Seconds after which it should be renewed, where the token names a time before its end. */
  readonly warnAfter?: number
  /** Audiences that were asked for and are not in the token. */
  readonly missingAudiences: readonly string[]
  /** The programs that will accept it. */
  readonly acceptedBy: readonly Acceptor[]
}

/** Somebody who may be shown the token. */
export interface Acceptor {
  readonly name: string
  readonly accepts: 'yes' | 'no' | 'unless'
  /** Why not. */
  readonly note?: string
  /** Options of `k8s token` that help, as words. */
  readonly fix?: readonly string[]
}

/** Difference in seconds up to which a lifetime counts as unchanged, for clocks and rounding. */
const TOLERANCE = 2

/**
 * Decides if the API server accepts the token. A client cannot request its audiences: they are the issuer unless
 * configured otherwise, and a token requested without audiences has them all.
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

/** Compares a token with what was asked for. */
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
