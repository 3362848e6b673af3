import { attack } from '../model.js'
import {
  authorizationUrl,
  authorize,
  grantRequest,
  HONEST_REDEMPTION,
  need,
  needMember,
  parameterOf,
  randomText,
  stealRecords,
} from '../moves.js'

/** A public client of the built-in lab that uses no PKCE. */
const CLIENT = 'demo-public'

/** A used code that is read in a history and redeemed a second time. */
export const codeReplay = attack({
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
  story: {
    authorization_request: 'Alice logs in for an application on her computer.',
    login:
      'Alice types her password. Her browser goes to the address of the application, with the code in it.',
    token_request: 'The application redeems the code. A strict server remembers that it was used.',
    theft: 'The attacker reads the address with the code.',
    reuse_request:
      'The attacker redeems the code again. The server must refuse it, and revoke what it brought.',
    resource_request: 'The attacker reads the records with the token of alice.',
  },
  lanes: {
    token_request: HONEST_REDEMPTION,
    theft: ['user_agent', 'attacker', 'a copy of the history', '9700 §4.3.1'],
    reuse_request: ['attacker', 'authorization_server', 'POST /token', '6749 §4.1.2'],
  },
  async *run(scene) {
    const { victim, callback, step } = scene
    const url = authorizationUrl(scene, {
      response_type: 'code',
      client_id: CLIENT,
      redirect_uri: callback,
      scope: 'records:read',
      state: randomText(scene),
    })
    const { target, exchange } = yield* authorize(scene, victim, url, ['authorization_request', 'login'])
    const code = need(target && parameterOf(target, 'code'), exchange)
    const redemption = { code, redirect_uri: callback }
    const redeem = () => grantRequest(scene, CLIENT, 'authorization_code', redemption)

    const tokens = await victim.send(redeem())
    yield step('token_request', { exchange: tokens, note: 'the code has done its work' })
    needMember(tokens, 'access_token')
    yield step('theft', { note: 'the address with the code is in the history of her browser' })
    return yield* stealRecords(scene, redeem(), 'reuse_request')
  },
})
