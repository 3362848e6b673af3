import type { DoctorFacts } from './facts.js'
import type { Finding } from './finding.js'
import { publicationFindings } from './publication-checks.js'
import { reviewFindings } from './review-checks.js'
import { tokenFindings } from './token-checks.js'

/** Checks everything that a verifier demands of a token, in the order in which verifiers check. */
export function examineToken(facts: DoctorFacts): Finding[] {
  return [...tokenFindings(facts), ...publicationFindings(facts), ...reviewFindings(facts)]
}
