import { explainReview } from '../explain-review.js'
import type { DoctorFacts } from './facts.js'
import { type Finding, type Found, fault, look, notApplicable, pass } from './finding.js'
import { mintWords } from './token-looks.js'

function review({ review: status, reviewProblem, token, audience }: DoctorFacts): Found {
  if (status === undefined) return notApplicable(reviewProblem ?? 'no cluster was asked')
  const question = { audiences: audience === undefined ? [] : [audience], ...(token && { token }) }
  const { authenticated, verdict, fix } = explainReview(status, question)
  if (authenticated) return pass(verdict)
  return fault(status.error === undefined ? verdict : `${verdict}; the server says: ${status.error}`, fix)
}

/** Vault asks the API server as somebody: with a token of its own, or else with the client's. */
function reviewer(facts: DoctorFacts): Found {
  const { token, bearer } = facts
  const asBearer = bearer ?? (token?.issuer !== undefined && token.audiences.includes(token.issuer))
  if (asBearer) {
    return look(
      'the API server accepts it too; with disable_local_ca_jwt and no token_reviewer_jwt the account also needs system:auth-delegator',
    )
  }
  const both = [...(token?.audiences ?? []), ...(token?.issuer === undefined ? [] : [token.issuer])]
  const found = look(
    'good only where Vault has a token_reviewer_jwt or runs in the cluster: the API server does not accept this token as a bearer',
  )
  const fix = mintWords(facts, both)
  return fix ? { ...found, fix } : found
}

function bearer({ bearer: accepted }: DoctorFacts): Found {
  if (accepted === undefined) return notApplicable('no cluster was asked')
  return accepted ? pass('the API server knows its sender') : fault('the API server answers 401 to it')
}

/** The demands that only the API server can judge. */
export function reviewFindings(facts: DoctorFacts): Finding[] {
  const tokenReview = 'authentication.k8s.io/v1 TokenReview'
  switch (facts.verifier) {
    case 'api':
      return [
        { name: 'review', rule: tokenReview, ...review(facts) },
        { name: 'bearer', rule: 'authentication.k8s.io/v1 SelfSubjectReview', ...bearer(facts) },
      ]
    case 'vault':
      return [
        { name: 'review', rule: tokenReview, ...review(facts) },
        { name: 'reviewer', rule: 'Vault: Kubernetes auth method', ...reviewer(facts) },
      ]
    default:
      return []
  }
}
