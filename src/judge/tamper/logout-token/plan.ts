import type { PlannedStep } from '../../../flows/step.js'
import type { LogoutTokenMove } from '../move.js'
import { expectation } from '../moves.js'

const CHANNEL = 'OpenID Connect Back-Channel Logout §2.5'

/** The steps of a wrong logout token, before they happen. */
export function logoutTokenPlan(move: LogoutTokenMove): PlannedStep[] {
  const browser = { from: 'user_agent', to: 'client' } as const
  const server = { from: 'user_agent', to: 'authorization_server' } as const
  const issuer = { from: 'authorization_server', to: 'client', title: 'POST /backchannel-logout' } as const
  return [
    {
      ...browser,
      name: 'relying_party_login',
      title: 'GET /login',
      rfc: '6749 §4.1',
      why: 'A person logs in to a client, which gets a session of its own.',
    },
    {
      ...server,
      name: 'login_form',
      title: 'GET /authorization',
      rfc: '6749 §4.1.1',
      why: 'The authorization server asks who the person is.',
    },
    {
      ...server,
      name: 'login',
      title: 'POST /authorization',
      rfc: '6749 §4.1.1',
      why: 'The person answers there, and the browser goes back to the client.',
    },
    {
      ...browser,
      name: 'relying_party_session',
      title: 'GET /callback',
      rfc: '6749 §4.1.2',
      why: 'The client redeems the code, and its cookie is the session that a logout token ends.',
    },
    {
      ...issuer,
      name: 'honest_logout_token',
      rfc: CHANNEL,
      why: 'The control: a logout token without a fault, signed by the key of the issuer, has to be accepted.',
    },
    {
      ...browser,
      name: 'ended_relying_party_session',
      title: 'GET /notes',
      rfc: 'OpenID Connect Back-Channel Logout §2.7',
      why: 'The page shows that the session has ended, though the browser did nothing.',
    },
    {
      ...browser,
      name: 'second_relying_party_login',
      title: 'GET /login',
      rfc: '6749 §4.1',
      why: 'The person logs in again, so that there is a session to end.',
    },
    {
      ...issuer,
      name: 'logout_token',
      rfc: 'OpenID Connect Back-Channel Logout §2.6',
      why: `Tamper: the issuer ${move.does}. Expected: ${expectation(move)}.`,
    },
    {
      ...browser,
      name: 'surviving_relying_party_session',
      title: 'GET /notes',
      rfc: 'OpenID Connect Back-Channel Logout §2.6',
      why: 'A token that is refused ends no session.',
    },
  ]
}
