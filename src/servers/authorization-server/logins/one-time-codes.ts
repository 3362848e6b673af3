import { parseTotpSecret, totpCode, totpCounter } from '../../../protocol/oauth/totp.js'
import { secretsEqual } from '../../../protocol/secrets.js'
import type { User } from '../model.js'

/** The result of a check. `used`: the code is right, and was used before. */
export type CodeVerdict = 'right' | 'used' | 'wrong'

/** Compares a one-time code with the user's. Each code is right once (RFC 6238 §5.2). */
export type CheckOneTimeCode = (user: User, code: string) => CodeVerdict

/** Periods before and after the present one whose codes are accepted, for slow typing and other clocks (RFC 6238 §5.2). */
const WINDOW = [-1, 0, 1]

/**
 * Makes the check of one-time codes. It remembers the period of the last accepted code of each user: no code of that
 * period or of an earlier one is accepted again.
 */
export function createOneTimeCodes({ now }: { readonly now: () => number }): CheckOneTimeCode {
  const lastUsed = new Map<string, number>()
  return ({ username, totp_secret: text }, code) => {
    const secret = text === undefined ? undefined : parseTotpSecret(text)
    if (secret === undefined) return 'wrong'
    const present = totpCounter(now())
    // All are compared, so that the time does not reveal which one is right.
    const matching = WINDOW.map(each => present + each).filter(each =>
      secretsEqual(code, totpCode(secret, each)),
    )
    if (matching.length === 0) return 'wrong'
    const used = lastUsed.get(username) ?? Number.NEGATIVE_INFINITY
    const unused = matching.find(each => each > used)
    if (unused === undefined) return 'used'
    lastUsed.set(username, unused)
    return 'right'
  }
}
