import { type Check, check, shown } from '../../protocol/oauth/check.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { DecodedJwt } from '../../protocol/tokens/decode.js'

/** The algorithms that a client expects its provider to sign by. */
export interface ExpectedAlgorithms {
  readonly announced: unknown
  /** The algorithms of the client alone. Absent: it names none. */
  readonly registered?: RegisteredAlgorithm | undefined
}

/** The algorithm of a client's registration, such as `id_token_signed_response_alg`, or those of FAPI 2.0. */
export type RegisteredAlgorithm = string | readonly string[]

/** Returns the failed check of a JWT by an algorithm that its client or its provider does not name (RFC 8725 §3.1). */
export function unexpectedAlgorithm(
  { header }: DecodedJwt,
  { announced, registered }: ExpectedAlgorithms,
  rule: Citation,
): Check[] {
  const refused = (why: string) => [check('alg', false, rule, `${shown(header.alg)} is not ${why}`)]
  if (typeof registered === 'object' && !registered.some(each => each === header.alg)) {
    const allowed = `${shown(header.alg)} is not allowed; allowed: ${registered.join(', ')}`
    return [check('alg', false, 'FAPI 2.0 Security Profile §5.4.1-1', allowed)]
  }
  if (typeof registered === 'string' && header.alg !== registered) {
    return refused(`the algorithm that this client is registered for; registered: ${registered}`)
  }
  if (!Array.isArray(announced) || announced.length === 0 || announced.includes(header.alg)) return []
  return refused(`announced; announced: ${announced.slice(0, 10).map(shown).join(', ')}`)
}
