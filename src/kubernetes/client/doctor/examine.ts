import type { DoctorFacts } from './facts.js'
import type { Finding } from './finding.js'
import { publicationFindings } from './publication-looks.js'
import { reviewFindings } from './review-looks.js'
import { tokenFindings } from './token-looks.js'

/** Everything a verifier demands of a token, in the order in which it fails. */
export function examineToken(facts: DoctorFacts): Finding[] {
  return [...tokenFindings(facts), ...publicationFindings(facts), ...reviewFindings(facts)]
}
