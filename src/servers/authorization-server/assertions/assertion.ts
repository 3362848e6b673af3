import { OAuthError } from '../../../protocol/oauth/oauth-error.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import { otherDate } from '../../../protocol/second-reading.js'
import type { AcceptedAlgorithms } from '../../../protocol/tokens/keys.js'
import type { ReplayGuard } from '../../../protocol/tokens/replay-guard.js'

/** The conditions for an assertion of any format (RFC 7521 §5.2). */
export interface AssertionExpectations {
  /** Names of this server: its issuer and the URL of its token endpoint. The assertion must name one of them. */
  readonly audiences: readonly string[]
  /** True when the audience of a JWT must be a string, not a list. Absent: false. */
  readonly asString?: boolean
  /** The signature algorithms of a JWT, with the clause for others. Absent: every asymmetric one. */
  readonly algorithms?: AcceptedAlgorithms | undefined
  /** The section that the audience breaks. Absent: that of the assertion. */
  readonly rule?: Citation | undefined
  readonly now: number
  readonly replay: ReplayGuard
  /** The client that presents the assertion. */
  readonly clientId: string
  /** Longest time until the assertion expires, in milliseconds; default one day. */
  readonly maxLifetime?: number
}

/** A verified assertion. Anyone who presents it may act for `subject`. */
export interface VerifiedAssertion {
  readonly issuer: string
  readonly subject: string
  /** The assertion's own id. For a JWT without `jti`, the hash of the signed text. */
  readonly id: string
  readonly expiresAt: number
}

/** Longest assertion, in characters. */
export const MAX_ASSERTION_LENGTH = 64 * 1024

/** Default for the longest time until an assertion expires, in milliseconds. */
const MAX_ASSERTION_LIFETIME = 24 * 60 * 60_000

/** Tolerance for an issuer whose clock is ahead, in milliseconds. It does not extend an expiry. */
export const ASSERTION_CLOCK_SKEW = 30_000

/** The error codes for a bad assertion: as a grant, or as credentials of a client (RFC 7521 §4.1.1, §4.2.1). */
export type AssertionErrorCode = 'invalid_grant' | 'invalid_client'

/** Makes the error of one kind of assertion. */
export type Refuse = (description: string, evidence?: string, rule?: Citation) => OAuthError

/** @param rule the section that an error names by default */
export function refuseWith(code: AssertionErrorCode, rule: Citation): Refuse {
  return (description, evidence, otherRule) =>
    new OAuthError(code, { description, rule: otherRule ?? rule, evidence })
}

/**
 * Checks that an expiry lies in the future, and not too far (RFC 7521 §5.2).
 * @param expiresAt milliseconds since the epoch
 * @throws the error of `refuse`
 */
export function checkExpiry(expiresAt: number, expected: AssertionExpectations, refuse: Refuse): void {
  const { now, maxLifetime = MAX_ASSERTION_LIFETIME } = expected
  const seconds = Math.round(Math.abs(expiresAt - now) / 1000)
  if (expiresAt <= now) throw refuse('the assertion has expired', `${seconds} s ago`)
  if (expiresAt > now + maxLifetime) {
    const unit = otherDate(expiresAt / 1000)
    throw refuse(
      `the assertion expires unreasonably far in the future${unit === undefined ? '' : `; exp: ${unit}`}`,
      `in ${seconds} s`,
    )
  }
}

/**
 * Marks an assertion as used. Call it after all other checks, so that a refused assertion stays unused.
 * @throws the error of `refuse` when the assertion was used before
 */
export function checkReplay(
  verified: VerifiedAssertion,
  expected: AssertionExpectations,
  refuse: Refuse,
): void {
  const id = JSON.stringify(['assertion', verified.issuer, verified.id])
  const use = expected.replay.use(id, verified.expiresAt, expected.clientId)
  if (use === 'again') throw refuse('the assertion was used before', `id: ${verified.id}`)
  if (use === 'full') throw refuse('too many assertions are remembered; try again later')
}
