import type { Step } from '../../flows/step.js'
import { onwardPage } from './attacker-pages.js'
import { codeRequest } from './code-request.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { authorize, parameterOf } from './moves.js'
import { codeArrival, THEFT_BY_OWN_CLIENT } from './planned-steps.js'
import { quizEntry, quizPart } from './quiz.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'
import { HONEST_LOGIN, honestLogin } from './victim.js'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, site, catcher, step } = scene
  yield* honestLogin(scene)
  const { url, redeem } = codeRequest(scene, catcher.client, catcher.address, { prompt: 'none' })
  site.serve('/quiz', () => onwardPage('Free quiz', url))
  const page = await victim.open(`${site.url}/quiz`)
  yield step('lure', { exchange: page, note: 'a page of the attacker, which goes on by itself' })

  const { target, exchange } = yield* authorize(scene, url, {
    browser: victim,
    from: page,
    allows: false,
    names: ['authorization_request', 'authorization_request'],
  })
  if (target === undefined) return scene.refusal(exchange)
  const arrived = (await victim.follow(exchange))!
  yield step('code_arrival', { exchange: arrived })
  const code = parameterOf(arrived.request.url, 'code')
  if (code === undefined) return scene.refusal(exchange)
  return yield* stealRecords(scene, redeem(code))
}

/** A client of the attacker that gets access although nobody allowed it. */
export const silentConsent: Attack = {
  name: 'silent-consent',
  title: 'access for a client of the attacker, without a question',
  rule: 'RFC 6749 §10.2',
  weak: ['consent-skipped'],
  opened: { 'consent-skipped': { stolen: true } },
  starts: [
    'The attacker has registered a client of their own, as anybody may.',
    'Alice is logged in at the authorization server, and visits a page of the attacker (A1 in RFC 9700 §3).',
  ],
  steals: 'records of alice',
  defences: [{ check: 'consent', rule: 'OpenID Connect Core §3.1.2.6' }],
  wouldNotHelp: [
    'exact redirect addresses: the address is the registered one of the attacker’s client',
    'PKCE and state: the attacker is the client, and keeps both',
    'a strong login: alice logged in an hour ago',
  ],
  clients: site => [quizEntry(site)],
  running: quizPart,
  plan: [
    HONEST_LOGIN,
    planned(
      'lure',
      ['user_agent', 'attacker'],
      'GET /quiz',
      '9700 §3',
      'Alice opens a page of the attacker.',
    ),
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'The page sends her browser on to the authorization server, with prompt=none: nothing may be shown.',
    ),
    codeArrival('The answer comes to the attacker: a code, or the error that alice must be asked.'),
    ...THEFT_BY_OWN_CLIENT,
  ],
  run,
}
