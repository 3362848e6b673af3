import { explainReview } from '../explain-review.js'
import { mintCommand } from '../mint-command.js'
import type { DoctorFacts } from './facts.js'
import { type Checked, type Finding, fault, notApplicable, pass, remark } from './finding.js'

function review({ review: status, reviewProblem, token, audience }: DoctorFacts): Checked {
  if (status === undefined) return notApplicable(reviewProblem ?? 'no cluster was asked')
  const question = { audiences: audience === undefined ? [] : [audience], ...(token && { token }) }
  const { authenticated, verdict, fix } = explainReview(status, question)
  if (authenticated) return pass(verdict)
  return fault(status.error === undefined ? verdict : `${verdict}; the server says: ${status.error}`, fix)
}

/** Checks whether Vault could review the token. Vault asks the API server with its own token, or else with the client's token. */
function reviewer(facts: DoctorFacts): Checked {
  const { token, bearer } = facts
  const asBearer = bearer ?? (token?.issuer !== undefined && token.audiences.includes(token.issuer))
  if (asBearer) {
    return remark(
      'the API server accepts it too; with disable_local_ca_jwt and no token_reviewer_jwt the account also needs system:auth-delegator',
    )
  }
  const both = [...(token?.audiences ?? []), ...(token?.issuer === undefined ? [] : [token.issuer])]
  const checked = remark(
    'good only where Vault has a token_reviewer_jwt or runs in the cluster: the API server does not accept this token as a bearer',
  )
  return token ? { ...checked, fix: mintCommand(token, both) } : checked
}

function bearer({ bearer: accepted }: DoctorFacts): Checked {
  if (accepted === undefined) return notApplicable('no cluster was asked')
  return accepted ? pass('the API server knows its sender') : fault('the API server answers 401 to it')
}

/** Checks that only the API server can make. */
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
