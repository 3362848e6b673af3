import { onwardPage } from '../attacker-pages.js'
import { attack } from '../model.js'
import {
  authorize,
  catchCode,
  codeRequest,
  HONEST_LOGIN,
  honestLogin,
  OWN_CLIENT,
  stealByCode,
  THEFT_BY_OWN_CLIENT,
} from '../moves.js'

/** A client of the attacker that gets access although nobody allowed it. */
export const silentConsent = attack({
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
  ...OWN_CLIENT,
  story: {
    ...HONEST_LOGIN,
    lure: 'Alice opens a page of the attacker.',
    authorization_request:
      'The page sends her browser on to the authorization server, with prompt=none: nothing may be shown.',
    code_arrival: 'The answer comes to the attacker: a code, or the error that alice must be asked.',
    ...THEFT_BY_OWN_CLIENT,
  },
  lanes: {
    lure: ['user_agent', 'attacker', 'GET /quiz', '9700 §3'],
  },
  async *run(scene) {
    const { victim, site, catcher, step } = scene
    yield* honestLogin(scene)
    const { url, redemption } = codeRequest(scene, catcher.client, catcher.address, { prompt: 'none' })
    site.serve('/quiz', () => onwardPage('Free quiz', url))
    const page = await victim.open(`${site.url}/quiz`)
    yield step('lure', { exchange: page, note: 'a page of the attacker, which goes on by itself' })

    const names = ['authorization_request', 'authorization_request'] as const
    const { exchange } = yield* authorize(scene, victim, url, names, { from: page, passive: true })
    const code = yield* catchCode(scene, exchange, catcher.address)
    return yield* stealByCode(scene, catcher.client, redemption(code))
  },
})
