import type { OneTimeCodeOf } from '../../client/one-time-code.js'
import { UsageError } from '../../protocol/errors.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../protocol/oauth/totp.js'

/** The sources of one-time codes. */
export interface CodeSources {
  /** The code that a person typed. It comes first, and is good for one page. */
  readonly typed?: string | undefined
  /** Users of a lab file, whose secrets are known. */
  readonly users: readonly { readonly username: string; readonly totp_secret?: string }[]
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/**
 * Makes the function that knows one-time codes. After a refusal it returns the next code once, which servers accept for
 * clocks that are behind (RFC 6238 §5.2): the code of now may be used already.
 */
export function oneTimeCodes({ typed, users, now }: CodeSources): OneTimeCodeOf {
  return (username, attempt) => {
    if (typed !== undefined) return attempt === 0 ? typed : undefined
    const text = users.findLast(each => each.username === username)?.totp_secret
    const secret = text === undefined ? undefined : parseTotpSecret(text)
    return secret === undefined || attempt > 1 ? undefined : totpCode(secret, totpCounter(now()) + attempt)
  }
}

/** Checks a code that a person typed. @throws UsageError */
export function checkTypedCode(code: string | undefined): void {
  if (code === undefined || /^[0-9A-Za-z]{4,16}$/.test(code)) return
  throw new UsageError('--otp takes the code alone: 4 to 16 digits or letters', [
    'It looks like:  --otp 123456',
  ])
}
