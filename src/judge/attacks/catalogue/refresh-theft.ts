import { attack } from '../model.js'
import {
  grantRequest,
  HONEST_REDEMPTION,
  needMember,
  PUBLIC_CLIENT,
  stealRecords,
  victimsLogin,
} from '../moves.js'

/** The time between the theft and the use of the token, in milliseconds. */
const ONE_DAY = 24 * 3_600_000

/** A refresh token that is copied and used a second time. */
export const refreshTheft = attack({
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
  story: {
    authorization_request: 'Alice logs in for the application on her telephone.',
    login: 'Alice types her password and allows the application.',
    token_request: 'The application gets an access token and a refresh token.',
    theft: 'The attacker reads the refresh token in a backup. Nothing at the server changes.',
    refresh_request:
      'The application refreshes its tokens as usual. A server that rotates replaces the refresh token now.',
    reuse_request:
      'The attacker refreshes with the copy. A server that rotates sees a token that was used before.',
    resource_request: 'The attacker reads the records with the new access token.',
  },
  lanes: {
    token_request: HONEST_REDEMPTION,
    theft: ['client', 'attacker', 'a copy of the refresh token', '9700 §4.14'],
    refresh_request: ['client', 'authorization_server', 'POST /token', '6749 §6'],
    reuse_request: ['attacker', 'authorization_server', 'POST /token', '6749 §6'],
  },
  async *run(scene) {
    const { victim, step, advance } = scene
    const tokens = yield* victimsLogin(scene, 'records:read')
    const refresh = { refresh_token: needMember(tokens, 'refresh_token') }
    yield step('theft', { note: 'the refresh token is in the backup of the telephone' })

    const later = advance(ONE_DAY) ? 'a day later' : 'some time later'
    const renewed = await victim.send(grantRequest(scene, PUBLIC_CLIENT, 'refresh_token', refresh))
    yield step('refresh_request', { exchange: renewed, note: later })
    const again = grantRequest(scene, PUBLIC_CLIENT, 'refresh_token', refresh)
    return yield* stealRecords(scene, again, 'reuse_request')
  },
})
