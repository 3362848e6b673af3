import { encodeForm } from '../../../protocol/http/form.js'
import { attack } from '../model.js'
import { HONEST_REDEMPTION, needMember, readRecords, victimsLogin } from '../moves.js'

/** The age of the log when the attacker reads it, in milliseconds. */
const ONE_MONTH = 30 * 24 * 3_600_000

/** An access token that is used long after its end. */
export const expiredToken = attack({
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
  story: {
    authorization_request: 'Alice logs in for an application of hers.',
    login: 'Alice types her password and allows the application to read her records.',
    token_request: 'The application gets an access token, which ends after an hour.',
    logout: 'Alice logs out. Her session ends, and her tokens live on until their own ends.',
    theft: 'The attacker reads the token in a log, a month later.',
    resource_request: 'The attacker presents the token. Only its exp says that its time is over.',
  },
  lanes: {
    token_request: HONEST_REDEMPTION,
    logout: [
      'user_agent',
      'authorization_server',
      'GET /end-session',
      'OpenID Connect RP-Initiated Logout §2',
    ],
    theft: ['client', 'attacker', 'the token, in an old log', '9700 §4.9'],
  },
  async *run(scene) {
    const { victim, urls, step, advance } = scene
    const answer = yield* victimsLogin(scene, 'openid records:read')
    const token = needMember(answer, 'access_token')
    const hint = encodeForm([['id_token_hint', needMember(answer, 'id_token')]])
    const ended = await victim.open(`${urls.authorization}/end-session?${hint}`)
    yield step('logout', { exchange: ended, note: 'the session has ended; nothing happened to the token' })
    advance(ONE_MONTH)
    yield step('theft', { note: 'the token stands in a log of last month' })
    return yield* readRecords(scene, token)
  },
})
