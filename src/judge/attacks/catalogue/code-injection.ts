import { redirectTarget } from '../../../client/page-visitor.js'
import { CLIENT_LOGIN, clientUrl, HONEST_CLIENT_LOGIN, readNotes, startClientLogin } from '../demo-client.js'
import { attack } from '../model.js'
import { parameterOf } from '../moves.js'

/** A stolen code, redeemed by the real client in the session of the attacker. */
export const codeInjection = attack({
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
  story: {
    ...HONEST_CLIENT_LOGIN,
    authorization_request: 'The client sends her to the authorization server.',
    login: 'Alice logs in. The code is in the address that her browser opens next.',
    theft: 'The attacker reads the address. The code has not been redeemed.',
    attacker_login: 'The attacker starts a login of their own at the same client.',
    injection:
      'The attacker delivers the code of alice with their own state. The client redeems it with its own verifier.',
    stolen_notes: 'The attacker is logged in as alice, and reads her notes.',
  },
  lanes: {
    honest_login: CLIENT_LOGIN,
    theft: ['user_agent', 'attacker', 'the address with the code', '9700 §4.5'],
    attacker_login: ['attacker', 'client', 'GET /login', '6749 §4.1'],
    injection: ['attacker', 'client', 'GET /callback', '9700 §4.5'],
    stolen_notes: ['attacker', 'client', 'GET /notes', '9700 §4.5'],
  },
  async *run(scene) {
    const { victim, attacker, step } = scene
    const names = ['honest_login', 'authorization_request', 'login'] as const
    const { target } = yield* startClientLogin(scene, victim, names)
    yield step('theft', { url: target, note: 'the answer stands in a log that the attacker reads first' })

    const begun = await attacker.open(`${clientUrl(scene)}/login`)
    const own = redirectTarget(begun)
    const state = own && parameterOf(own, 'state')
    yield step('attacker_login', { exchange: begun, note: 'the attacker’s own state, challenge and nonce' })

    // The code of alice, in the attacker's session: everything else is the attacker's own.
    const answer = new URL(target)
    if (state === undefined) answer.searchParams.delete('state')
    else answer.searchParams.set('state', state)
    return yield* readNotes(scene, await attacker.open(answer.href))
  },
})
