import { asksForOpenId } from '../../flows/options.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import { type FormPairs, readPairs } from '../../protocol/http/form.js'
import { header, splitUrl } from '../../protocol/http/message.js'
import { defined } from '../../protocol/values.js'
import { type Facts, type HonestFlow, inGroup, type LoginDemandAnswers, loggedInByHand } from './facts.js'
import { fault, type Judgement, notApplicable, notTried, pass } from './finding.js'
import { askDirectly } from './honest-request.js'
import { type Examined, flowOptions } from './server-under-test.js'
import { cookiesAfter } from './session-probe.js'

/** A class that no server knows. */
const NO_SUCH_ACR = 'oauth-lab:no-such-acr'

/** The time after which the next second has begun, by any clock, in milliseconds. */
const SECOND_BEGINS = 1100

/** The parameters of an answer in the query of its redirect. */
function answerIn({ response }: Exchange): ReadonlyMap<string, string> {
  const location = response && header(response, 'location')
  return new Map(location === undefined ? [] : readPairs(splitUrl(location).query))
}

/**
 * Asks for logins that the session cannot be (OpenID Connect Core §3.1.2.1, §5.5.1.1). Returns undefined where the session
 * brings no code without a page (`prompt=none`) even without a demand: a refusal would prove nothing then.
 */
export async function askForLogins(on: Examined, flow: HonestFlow): Promise<LoginDemandAnswers | undefined> {
  const { ports, server, metadata } = on
  const endpoint = metadata.authorization_endpoint
  const { scope } = flowOptions(server, metadata)
  const loggedIn = flow.steps.some(({ name }) => name === 'login')
  if (endpoint === undefined || !loggedIn || scope === undefined || !asksForOpenId(scope)) return undefined
  const cookie = cookiesAfter(flow, endpoint)
  if (cookie === '') return undefined

  const ask = (...more: FormPairs) =>
    askDirectly(on, { extra: [['prompt', 'none'], ...more] }, [['cookie', cookie]])

  /** Asks for a login that is not there yet. A server may count whole seconds, so a code within the first one proves nothing. */
  async function askForNew(): Promise<Exchange | undefined> {
    const first = await ask(['max_age', '0'])
    if (first === undefined || !answerIn(first).has('code')) return first
    await ports.wait(SECOND_BEGINS)
    return ask(['max_age', '0'])
  }

  const plain = await ask()
  if (plain === undefined || !answerIn(plain).has('code')) return undefined
  const claims = { id_token: { acr: { essential: true, values: [NO_SUCH_ACR] } } }
  return defined({
    oldLogin: await askForNew(),
    essentialAcr:
      metadata.claims_parameter_supported === true
        ? await ask(['claims', JSON.stringify(claims)])
        : undefined,
  })
}

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
export const loginDemandChecks = inGroup<Facts>('login', [
  {
    name: 'max-age-honoured',
    title: 'a session that is older than max_age gives no code',
    rule: 'OpenID Connect Core §3.1.2.1',
    judge: facts => judged(facts, facts.loginDemands?.oldLogin, 'no answer'),
  },
  {
    name: 'essential-acr',
    title: 'an essential acr that cannot be met gives no code',
    rule: 'OpenID Connect Core §5.5.1.1',
    judge: facts => judged(facts, facts.loginDemands?.essentialAcr, 'the parameter claims is not announced'),
  },
])
