import { type Check, check, shown } from '../oauth/check.js'
import type { Citation } from '../rules/rule.js'
import type { DecodedJwt } from '../tokens/decode.js'

/**
 * Returns the failed check of a JWT by an algorithm that its provider does not announce; no check for any other JWT. An
 * attacker who has one key of a provider could else choose the algorithm (RFC 8725 §3.1).
 * @param announced a member of the metadata, such as `id_token_signing_alg_values_supported`
 */
export function unannounced({ header }: DecodedJwt, announced: unknown, rule: Citation): Check[] {
  if (!Array.isArray(announced) || announced.length === 0 || announced.includes(header.alg)) return []
  const listed = announced.slice(0, 10).map(shown).join(', ')
  return [check('alg', false, rule, `${shown(header.alg)} is not announced; announced: ${listed}`)]
}
