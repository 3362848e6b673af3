import { attack } from '../model.js'
import {
  authorize,
  CODE_ARRIVAL,
  catchCode,
  codeRequest,
  HONEST_LOGIN,
  honestLogin,
  notesApp,
  stealByCode,
  THEFT_BY_PUBLIC_CLIENT,
} from '../moves.js'

/** A code that the authorization server sends to the attacker, because it compares addresses badly. */
export const stolenCode = attack({
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
  clients: site => [notesApp(site.slice(0, -1))],
  story: {
    ...HONEST_LOGIN,
    lure: 'The attacker sends alice an authorization request in the name of a real client, with an address of the attacker in it.',
    authorization_request:
      'Alice opens the link. Her session answers for her. The server compares redirect_uri with the registered address.',
    ...CODE_ARRIVAL,
    ...THEFT_BY_PUBLIC_CLIENT,
  },
  lanes: {
    lure: ['attacker', 'user_agent', 'a link in a mail', '9700 §4.1.1'],
  },
  async *run(scene) {
    const { victim, catcher, step } = scene
    yield* honestLogin(scene)
    const { url, redemption } = codeRequest(scene, catcher.client, catcher.address)
    yield step('lure', { url, note: `the answer is to go to ${catcher.address}` })
    const { exchange } = yield* authorize(scene, victim, url, [
      'authorization_request',
      'authorization_request',
    ])
    const code = yield* catchCode(scene, exchange, catcher.address)
    return yield* stealByCode(scene, catcher.client, redemption(code))
  },
})
