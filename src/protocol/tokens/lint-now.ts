import type { DecodedJwt } from './decode.js'
import type { Lint } from './explain.js'

/** The time and the reader of a token, for remarks without verification. */
export interface Circumstances {
  /** Milliseconds since the epoch. */
  readonly now: number
  /** 1000 when the token's dates are in milliseconds, or else 1. */
  readonly unit: 1 | 1000
  /** The audience that reads the token. */
  readonly audience?: string
}

/** Returns the remarks that depend on the time and the reader: expired, not valid yet, wrong audience. */
export function lintNow(claims: DecodedJwt['claims'], { now, unit, audience }: Circumstances): Lint[] {
  const lint: Lint[] = []
  // NaN is neither before nor after now, so no remark is made on a date that is not a number.
  const moment = (value: unknown) => (typeof value === 'number' ? (value * 1000) / unit : Number.NaN)
  const exp = moment(claims.exp)
  const nbf = moment(claims.nbf)
  const iat = moment(claims.iat)
  if (now >= exp) {
    lint.push({ name: 'expired', text: 'it has expired', rule: 'RFC 7519 §4.1.4' })
  }
  if (now < nbf) {
    lint.push({ name: 'not_yet_valid', text: 'it is not valid yet', rule: 'RFC 7519 §4.1.5' })
  }
  if (now < iat) {
    lint.push({
      name: 'issued_in_future',
      text: 'it says it was issued in the future',
      rule: 'RFC 7519 §4.1.6',
    })
  }
  if (audience !== undefined && !audiencesOf(claims).includes(audience)) {
    lint.push({ name: 'wrong_aud', text: `it is not meant for ${audience}`, rule: 'RFC 7519 §4.1.3' })
  }
  return lint
}

function audiencesOf({ aud }: DecodedJwt['claims']): readonly unknown[] {
  return Array.isArray(aud) ? aud : [aud]
}
