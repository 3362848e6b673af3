import type { Step } from '../../flows/step.js'
import type { Refusal } from './defence.js'
import { startClientLogin } from './demo-client.js'
import { type Attack, planned } from './model.js'
import type { Scene } from './scene.js'
import { enterWrongAccount, wrongAccountPlan } from './wrong-account.js'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { attacker, accounts } = scene
  const own = yield* startClientLogin(scene, {
    browser: attacker,
    account: accounts.attacker,
    names: ['client_login', 'attacker_login', 'attacker_login'],
  })
  if (own.target === undefined) return scene.refusal(own.exchange)
  return yield* enterWrongAccount(scene, own.target, 'theft')
}

/** A victim who is logged in as the attacker, and does not notice. */
export const loginCsrf: Attack = {
  name: 'login-csrf',
  title: 'a victim who is logged in as the attacker, and writes into the wrong account',
  rule: 'RFC 9700 §4.7',
  weak: ['no-state'],
  opened: { 'no-state': { stolen: true } },
  starts: [
    'The attacker has an account of their own at the demo client.',
    'Alice visits a page of the attacker (A1 in RFC 9700 §3).',
  ],
  steals: 'a note of alice',
  defences: [{ check: 'state', rule: 'RFC 6749 §10.12' }],
  wouldNotHelp: [
    'exact redirect addresses: the answer goes to the real client',
    'client authentication: the real client redeems the code',
    'the signature of the ID token: it is real, and names the attacker',
  ],
  demoClient: true,
  running: {},
  plan: [
    planned(
      'client_login',
      ['attacker', 'client'],
      'GET /login',
      '6749 §4.1.1',
      'The attacker begins a login at the demo client, and gets the address of its authorization request.',
    ),
    planned(
      'attacker_login',
      ['attacker', 'authorization_server'],
      'log in as the attacker',
      '6749 §4.1.1',
      'The attacker logs in with their own account, and keeps the answer instead of taking it to the client.',
    ),
    ...wrongAccountPlan(
      'theft',
      'The page takes her browser to the client, with the code of the attacker. The client must see that she did not ask.',
      '9700 §4.7',
    ),
  ],
  run,
}
