import { redirectTarget } from '../../client/page-visitor.js'
import type { Step } from '../../flows/step.js'
import type { Refusal } from './defence.js'
import { clientUrl, shownBy, startClientLogin } from './demo-client.js'
import { type Attack, planned } from './model.js'
import { parameterOf } from './moves.js'
import { CLIENT_LOGIN } from './planned-steps.js'
import type { Scene } from './scene.js'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, attacker, accounts, step } = scene
  const names = ['honest_login', 'authorization_request', 'login'] as const
  const login = yield* startClientLogin(scene, { browser: victim, account: accounts.victim, names })
  if (login.target === undefined) return scene.refusal(login.exchange)
  yield step('theft', { url: login.target, note: 'the answer stands in a log that the attacker reads first' })

  const begun = await attacker.open(`${clientUrl(scene)}/login`)
  const own = redirectTarget(begun)
  const state = own === undefined ? undefined : parameterOf(own, 'state')
  yield step('attacker_login', { exchange: begun, note: 'the attacker’s own state, challenge and nonce' })

  // The code of alice, in the attacker's session: everything else is the attacker's own.
  const answer = new URL(login.target)
  if (state === undefined) answer.searchParams.delete('state')
  else answer.searchParams.set('state', state)
  const injected = await attacker.open(answer.href)
  yield step('injection', { exchange: injected })
  const notes = await shownBy(attacker, injected)
  if (notes !== injected) yield step('stolen_notes', { exchange: notes })
  return scene.refusal(injected)
}

/** A stolen code, redeemed by the real client in the session of the attacker. */
export const codeInjection: Attack = {
  name: 'code-injection',
  title: 'a stolen code, put into the attacker’s own session at the client',
  rule: 'RFC 9700 §4.5',
  weak: ['no-nonce'],
  opened: {
    'pkce-ignored': { check: 'nonce' },
    'no-state': { stolen: true },
    'no-nonce': { stolen: true },
    'implicit-login': { check: 'iss' },
  },
  starts: [
    'The attacker reads an authorization response of alice before it reaches the client (A3 and A4 in RFC 9700 §3).',
    'The client is confidential: the attacker does not have its secret, and lets the client redeem the code.',
  ],
  steals: 'notes of alice',
  defences: [
    { check: 'code_verifier', rule: 'RFC 7636 §4.6' },
    { check: 'nonce', rule: 'OpenID Connect Core §3.1.3.7' },
    { check: 'iss', rule: 'RFC 9207 §2.4' },
  ],
  wouldNotHelp: [
    'client authentication: the real client sends its real secret',
    'state: the attacker uses the state of their own session',
    'codes that work once: it is used once',
  ],
  demoClient: true,
  running: {},
  noWindow: 'a real browser takes the code to the client before the attacker can use it',
  plan: [
    CLIENT_LOGIN,
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'The client sends her to the authorization server.',
    ),
    planned(
      'login',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §4.1.1',
      'Alice logs in. The code is in the address that her browser opens next.',
    ),
    planned(
      'theft',
      ['user_agent', 'attacker'],
      'the address with the code',
      '9700 §4.5',
      'The attacker reads the address. The code has not been redeemed.',
    ),
    planned(
      'attacker_login',
      ['attacker', 'client'],
      'GET /login',
      '6749 §4.1',
      'The attacker starts a login of their own at the same client.',
    ),
    planned(
      'injection',
      ['attacker', 'client'],
      'GET /callback',
      '9700 §4.5',
      'The attacker delivers the code of alice with their own state. The client redeems it with its own verifier.',
    ),
    planned(
      'stolen_notes',
      ['attacker', 'client'],
      'GET /notes',
      '9700 §4.5',
      'The attacker is logged in as alice, and reads her notes.',
    ),
  ],
  run,
}
