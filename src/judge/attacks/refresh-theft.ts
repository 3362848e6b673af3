import type { Step } from '../../flows/step.js'
import { logInByCode, PUBLIC_CLIENT } from './code-login.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { grantRequest, memberOf } from './moves.js'
import { recordsRead } from './planned-steps.js'
import { stealRecords } from './records-theft.js'
import type { Scene } from './scene.js'

/** The time between the theft and the use of the token, in milliseconds. */
const ONE_DAY = 24 * 3_600_000

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, step, accounts, advance } = scene
  const tokens = yield* logInByCode(scene, {
    browser: victim,
    account: accounts.victim,
    names: ['authorization_request', 'login', 'token_request'],
    scope: 'records:read',
  })
  const stolen = memberOf(tokens, 'refresh_token')
  if (stolen === undefined) return scene.refusal(tokens)
  yield step('theft', { note: 'the refresh token is in the backup of the telephone' })

  const later = advance(ONE_DAY) ? 'a day later' : 'some time later'
  const refresh = { refresh_token: stolen }
  const renewed = await victim.send(grantRequest(scene, PUBLIC_CLIENT, 'refresh_token', refresh))
  yield step('refresh_request', { exchange: renewed, note: later })

  return yield* stealRecords(
    scene,
    grantRequest(scene, PUBLIC_CLIENT, 'refresh_token', refresh),
    'reuse_request',
  )
}

/** A refresh token that is copied and used a second time. */
export const refreshTheft: Attack = {
  name: 'refresh-theft',
  title: 'a refresh token copied from a backup and used again',
  rule: 'RFC 9700 §4.14',
  weak: ['no-rotation'],
  opened: { 'no-rotation': { stolen: true } },
  starts: [
    'The attacker has read a backup of alice’s telephone, with the refresh token of an application.',
    'The application is a public client: it has no secret that the attacker would lack.',
    'The application has refreshed its tokens since the backup.',
  ],
  steals: 'records of alice',
  defences: [{ check: 'rotation', rule: 'RFC 9700 §4.14.2' }],
  wouldNotHelp: [
    'PKCE: it binds the code, and the code was redeemed long ago',
    'short access tokens: the refresh token brings new ones',
    'a new password: it does not end the grant',
  ],
  running: { needs: [PUBLIC_CLIENT] },
  plan: [
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'Alice logs in for the application on her telephone.',
    ),
    planned(
      'login',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §4.1.1',
      'Alice types her password and allows the application.',
    ),
    planned(
      'token_request',
      ['client', 'authorization_server'],
      'POST /token',
      '6749 §4.1.3',
      'The application gets an access token and a refresh token.',
    ),
    planned(
      'theft',
      ['client', 'attacker'],
      'a copy of the refresh token',
      '9700 §4.14',
      'The attacker reads the refresh token in a backup. Nothing at the server changes.',
    ),
    planned(
      'refresh_request',
      ['client', 'authorization_server'],
      'POST /token',
      '6749 §6',
      'The application refreshes its tokens as usual. A server that rotates replaces the refresh token now.',
    ),
    planned(
      'reuse_request',
      ['attacker', 'authorization_server'],
      'POST /token',
      '6749 §6',
      'The attacker refreshes with the copy. A server that rotates sees a token that was used before.',
    ),
    recordsRead('The attacker reads the records with the new access token.'),
  ],
  run,
}
