import type { Step } from '../../flows/step.js'
import { encodeForm } from '../../protocol/http/form.js'
import { logInByCode } from './code-login.js'
import type { Refusal } from './defence.js'
import { type Attack, planned } from './model.js'
import { memberOf } from './moves.js'
import { recordsRead } from './planned-steps.js'
import { readRecords } from './records-theft.js'
import type { Scene } from './scene.js'

/** The age of the log when the attacker reads it, in milliseconds. */
const ONE_MONTH = 30 * 24 * 3_600_000

async function* run(scene: Scene): AsyncGenerator<Step, Refusal | undefined, void> {
  const { victim, accounts, urls, step, advance } = scene
  const answer = yield* logInByCode(scene, {
    browser: victim,
    account: accounts.victim,
    names: ['authorization_request', 'login', 'token_request'],
    scope: 'openid records:read',
  })
  const [token, hint] = [memberOf(answer, 'access_token'), memberOf(answer, 'id_token')]
  if (token === undefined || hint === undefined) return scene.refusal(answer)
  const ended = await victim.open(
    `${urls.authorization}/end-session?${encodeForm([['id_token_hint', hint]])}`,
  )
  yield step('logout', { exchange: ended, note: 'the session has ended; nothing happened to the token' })
  advance(ONE_MONTH)
  yield step('theft', { note: 'the token stands in a log of last month' })
  return yield* readRecords(scene, token)
}

/** An access token that is used long after its end. */
export const expiredToken: Attack = {
  name: 'expired-token',
  title: 'an access token from an old log, used long after the logout',
  rule: 'RFC 9700 §4.10',
  weak: ['no-expiry'],
  opened: { 'no-expiry': { stolen: true } },
  starts: [
    'Alice used an application, and logged out a month ago.',
    'The attacker reads a log of that time, with her access token in it (A4 in RFC 9700 §3).',
  ],
  steals: 'records of alice',
  defences: [{ check: 'exp', rule: 'RFC 7519 §4.1.4' }],
  wouldNotHelp: [
    'the logout: it ended a session, and no token',
    'the signature: the token is real',
    'rotation: it is about refresh tokens',
  ],
  running: { never: 'a month has to pass, and a running lab keeps its own clock' },
  plan: [
    planned(
      'authorization_request',
      ['user_agent', 'authorization_server'],
      'GET /authorization',
      '6749 §4.1.1',
      'Alice logs in for an application of hers.',
    ),
    planned(
      'login',
      ['user_agent', 'authorization_server'],
      'POST /authorization',
      '6749 §4.1.1',
      'Alice types her password and allows the application to read her records.',
    ),
    planned(
      'token_request',
      ['client', 'authorization_server'],
      'POST /token',
      '6749 §4.1.3',
      'The application gets an access token, which ends after an hour.',
    ),
    planned(
      'logout',
      ['user_agent', 'authorization_server'],
      'GET /end-session',
      'OpenID Connect RP-Initiated Logout §2',
      'Alice logs out. Her session ends, and her tokens live on until their own ends.',
    ),
    planned(
      'theft',
      ['client', 'attacker'],
      'the token, in an old log',
      '9700 §4.9',
      'The attacker reads the token in a log, a month later.',
    ),
    recordsRead('The attacker presents the token. Only its exp says that its time is over.'),
  ],
  run,
}
