import type { DoctorFacts } from './facts.js'
import type { Finding } from './finding.js'
import { publicationFindings } from './publication-checks.js'
import { reviewFindings } from './review-checks.js'
import { tokenFindings } from './token-checks.js'

/** Checks all that a verifier requires of a token, in the order of the verifiers. */
export function examineToken(facts: DoctorFacts): Finding[] {
  return [...tokenFindings(facts), ...publicationFindings(facts), ...reviewFindings(facts)]
}
