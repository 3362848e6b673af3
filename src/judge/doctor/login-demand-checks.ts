import type { Exchange } from '../../protocol/http/exchange.js'
import { type DoctorCheck, type Facts, loggedInByHand } from './facts.js'
import { fault, type Judgement, notApplicable, notTried, pass } from './finding.js'
import { answerIn } from './login-demand-probe.js'

/** Judges the answer to a demand that the session does not meet. */
function judged(facts: Facts, answer: Exchange | undefined, lacking: string): Judgement {
  if (loggedInByHand(facts.flow)) return notTried('the session is in your own browser')
  if (facts.loginDemands === undefined) {
    return notApplicable('no session brings a code without a page, by prompt=none')
  }
  if (answer?.response === undefined) return notApplicable(lacking)
  const answered = answerIn(answer)
  if (answered.has('code')) return fault('a code came at once, by prompt=none')
  return pass(answered.get('error') ?? String(answer.response.status))
}

/** Checks that a server meets, or refuses, what a client asks about the login. */
export const loginDemandChecks: readonly DoctorCheck<Facts>[] = [
  {
    group: 'login',
    name: 'max-age-honoured',
    title: 'a session that is older than max_age gives no code',
    rule: 'OpenID Connect Core §3.1.2.1',
    judge: facts => judged(facts, facts.loginDemands?.oldLogin, 'no answer'),
  },
  {
    group: 'login',
    name: 'essential-acr',
    title: 'an essential acr that cannot be met gives no code',
    rule: 'OpenID Connect Core §5.5.1.1',
    judge: facts => judged(facts, facts.loginDemands?.essentialAcr, 'the parameter claims is not announced'),
  },
]
