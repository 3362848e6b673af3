import type { Step } from '../../flows/step.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { authorizationUrl, authorize, grantRequest, memberOf, parameterOf } from './moves.js'
import { recordsRead } from './planned-steps.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'

/** A public client of the built-in lab that uses no PKCE, and its address, where nobody listens in an attack. */
const CLIENT = 'demo-public'

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, step, accounts, random } = scene
  const url = authorizationUrl(scene, {
    ...{ response_type: 'code', client_id: CLIENT, redirect_uri: scene.callback, scope: 'records:read' },
    state: Buffer.from(random(16)).toString('base64url'),
  })
  const names = ['authorization_request', 'login'] as const
  const landing = yield* authorize(scene, url, { browser: victim, account: accounts.victim, names })
  const code = landing.target === undefined ? undefined : parameterOf(landing.target, 'code')
  if (code === undefined) return scene.refusal(landing.exchange)

  const redemption = { code, redirect_uri: scene.callback }
  const tokens = await victim.send(grantRequest(scene, CLIENT, 'authorization_code', redemption))
  yield step('token_request', { exchange: tokens, note: 'the code has done its work' })
  if (memberOf(tokens, 'access_token') === undefined) return scene.refusal(tokens)
  yield step('theft', { note: 'the address with the code is in the history of her browser' })

  return yield* stealRecords(
    scene,
    grantRequest(scene, CLIENT, 'authorization_code', redemption),
    'reuse_request',
  )
}

/** A used code that is read in a history and redeemed a second time. */
export const codeReplay: Attack = {
  name: 'code-replay',
  title: 'a used code read in a history and redeemed again',
  rule: 'RFC 9700 §4.3.1',
  weak: ['code-reuse'],
  opened: { 'code-reuse': { stolen: true } },
  starts: [
    'The attacker reads the history of alice’s browser, which is in a backup (A3 in RFC 9700 §3).',
    'The application is an old public client: it has no secret, and uses no PKCE.',
    'The application has redeemed its code before.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'one_use', rule: 'RFC 6749 §4.1.2' }],
  wouldNotHelp: [
    'state: the attacker brings the code to the server, and not to the client',
    'exact redirect addresses: the code went to the right one',
    'TLS: the history is at the end of the connection',
  ],
  running: { needs: [CLIENT] },
  plan: [
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'Alice logs in for an application on her computer.',
    ),
    planned(
      'login',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §4.1.1',
      'Alice types her password. Her browser goes to the address of the application, with the code in it.',
    ),
    planned(
      'token_request',
      ['client', 'authorization_server'],
      'POST /token',
      '6749 §4.1.3',
      'The application redeems the code. A strict server remembers that it was used.',
    ),
    planned(
      'theft',
      ['user_agent', 'attacker'],
      'a copy of the history',
      '9700 §4.3.1',
      'The attacker reads the address with the code.',
    ),
    planned(
      'reuse_request',
      ['attacker', 'authorization_server'],
      'POST /token',
      '6749 §4.1.2',
      'The attacker redeems the code again. The server must refuse it, and revoke what it brought.',
    ),
    recordsRead('The attacker reads the records with the token of alice.'),
  ],
  run,
}
