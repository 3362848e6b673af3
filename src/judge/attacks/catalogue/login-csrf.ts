import { enterWrongAccount, startClientLogin, wrongAccountLanes, wrongAccountStory } from '../demo-client.js'
import { attack } from '../model.js'

/** A victim who is logged in as the attacker, and does not notice. */
export const loginCsrf = attack({
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
  story: {
    client_login:
      'The attacker begins a login at the demo client, and gets the address of its authorization request.',
    attacker_login:
      'The attacker logs in with their own account, and keeps the answer instead of taking it to the client.',
    ...wrongAccountStory(
      'theft',
      'The page takes her browser to the client, with the code of the attacker. The client must see that she did not ask.',
    ),
  },
  lanes: {
    client_login: ['attacker', 'client', 'GET /login', '6749 §4.1.1'],
    ...wrongAccountLanes('theft', '9700 §4.7'),
  },
  async *run(scene) {
    const names = ['client_login', 'attacker_login', 'attacker_login'] as const
    const { target } = yield* startClientLogin(scene, scene.attacker, names)
    return yield* enterWrongAccount(scene, target, 'theft')
  },
})
