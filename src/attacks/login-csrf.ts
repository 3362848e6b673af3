import type { Step } from '../flows/step.js'
import type { Refusal } from './defence.js'
import { deliver, shownBy, showsNotes, startClientLogin, visitNotes, writeNote } from './demo-client.js'
import { type Attack, planned } from './model.js'
import type { Scene } from './scene.js'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, attacker, accounts, step, secret, site } = scene
  const own = yield* startClientLogin(scene, {
    browser: attacker,
    account: accounts.attacker,
    names: ['client_login', 'attacker_login', 'attacker_login'],
  })
  if (own.target === undefined) return scene.refusal(own.exchange)

  const bait = await victim.open(`${site.url}/bait`)
  yield step('lure', { exchange: bait, note: 'the page goes on to the answer that belongs to the attacker' })
  const injected = await deliver(victim, own.target, { from: bait })
  yield step('injection', { exchange: injected })
  const page = await shownBy(victim, injected)
  if (!showsNotes(page)) return scene.refusal(injected)

  const written = await writeNote(victim, page, `my new number is ${secret}`)
  yield step('theft', { exchange: written, note: 'alice writes a note, into the account of mallory' })
  const notes = await visitNotes(scene, attacker, accounts.attacker)
  yield step('stolen_notes', { exchange: notes })
  return scene.refusal(notes)
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
      'log in as mallory',
      '6749 §4.1.1',
      'The attacker logs in with their own account, and keeps the answer instead of taking it to the client.',
    ),
    planned(
      'lure',
      ['user_agent', 'attacker'],
      'GET /bait',
      '9700 §4.7',
      'Alice opens a page of the attacker.',
    ),
    planned(
      'injection',
      ['user_agent', 'client'],
      'GET /callback',
      '6749 §10.12',
      'The page takes her browser to the client, with the code of the attacker. The client must see that she did not ask.',
    ),
    planned(
      'theft',
      ['user_agent', 'client'],
      'POST /notes',
      '6749 §10.12',
      'Alice writes a note. She believes that the account is hers.',
    ),
    planned(
      'stolen_notes',
      ['attacker', 'client'],
      'GET /notes',
      '9700 §4.7',
      'The attacker opens their own account and reads what alice wrote.',
    ),
  ],
  run,
}
