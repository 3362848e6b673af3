import { OAuthError } from '../../oauth/oauth-error.js'
import type { ReplayGuard } from '../../tokens/replay-guard.js'

/** The values that every assertion must match, whatever its format (RFC 7521 §5.2). */
export interface AssertionExpectations {
  /** Names this server goes by: its issuer and the URL of its token endpoint. The assertion is for one of them. */
  readonly audiences: readonly string[]
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly replay: ReplayGuard
  /** An assertion that expires later than this is refused: milliseconds; default one day. */
  readonly maxLifetime?: number
}

/** A valid assertion: its presenter may act for `subject`. */
export interface VerifiedAssertion {
  readonly issuer: string
  readonly subject: string
  /** Its own id, or for a JWT without `jti` the hash of what was signed. */
  readonly id: string
  /** Milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Length limit of assertions: 64 KiB; longer ones are refused unread. */
export const MAX_ASSERTION_LENGTH = 64 * 1024

/** Longest lifetime of an assertion by default: one day, in milliseconds. */
const MAX_ASSERTION_LIFETIME = 24 * 60 * 60_000

/** An issuer's clock may be ahead by so much, in milliseconds. An expiry is never stretched. */
export const ASSERTION_CLOCK_SKEW = 30_000

/** The errors a bad assertion gives: as a grant, or as a client's credentials (RFC 7521 §4.1.1, §4.2.1). */
export type AssertionErrorCode = 'invalid_grant' | 'invalid_client'

/** Makes the error of one kind of assertion. */
export type Refuse = (description: string, evidence?: string, rule?: string) => OAuthError

/** @param rule the section that holds unless a refusal names another */
export function refuseWith(code: AssertionErrorCode, rule: string): Refuse {
  return (description, evidence, otherRule) =>
    new OAuthError(code, {
      description,
      rule: otherRule ?? rule,
      ...(evidence === undefined ? {} : { evidence }),
    })
}

/**
 * Checks that an expiry lies ahead, and not too far (RFC 7521 §5.2).
 * @param expiresAt milliseconds since the epoch
 * @throws the error of `refuse`
 */
export function checkExpiry(expiresAt: number, expected: AssertionExpectations, refuse: Refuse): void {
  const { now, maxLifetime = MAX_ASSERTION_LIFETIME } = expected
  const seconds = Math.round(Math.abs(expiresAt - now) / 1000)
  if (expiresAt <= now) throw refuse('the assertion has expired', `${seconds} s ago`)
  if (expiresAt > now + maxLifetime) {
    throw refuse('the assertion expires unreasonably far in the future', `in ${seconds} s`)
  }
}

/**
 * Marks an assertion as used; to be called when everything else is good.
 * @throws the error of `refuse` where it was used before
 */
export function checkReplay(
  verified: VerifiedAssertion,
  expected: AssertionExpectations,
  refuse: Refuse,
): void {
  const id = JSON.stringify(['assertion', verified.issuer, verified.id])
  const use = expected.replay.use(id, verified.expiresAt)
  if (use === 'again') throw refuse('the assertion was used before', `id: ${verified.id}`)
  if (use === 'full') throw refuse('too many assertions are remembered; try again later')
}
