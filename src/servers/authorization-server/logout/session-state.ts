import { createHash } from 'node:crypto'
import type { AcceptedRequest } from '../endpoints/authorization/authorization-request.js'
import type { Session } from '../logins/sessions.js'
import { partsOf } from '../parameters/response-type.js'
import { joinSession } from './browser-session.js'

type Random = (length: number) => Uint8Array

/**
 * Returns `session_state` of an authentication response: the hash of the client, of its origin and of the state of the
 * browser, and the salt (Session Management §2). The script of the check_session_iframe computes the same value. Undefined
 * for an address without a web origin, where no page can open the frame.
 */
function sessionState(
  of: { readonly clientId: string; readonly redirectUri: string; readonly state: string },
  random: Random,
): string | undefined {
  const { clientId, redirectUri, state } = of
  const { origin, protocol } = new URL(redirectUri)
  if (protocol !== 'https:' && protocol !== 'http:') return undefined
  const salt = Buffer.from(random(12)).toString('base64url')
  const hash = createHash('sha256').update(`${clientId} ${origin} ${state} ${salt}`).digest('base64url')
  return `${hash}.${salt}`
}

/** Adds the client of an authentication request to the session, and returns the session_state of the response. */
export function joinedState(
  { client, to, scope, responseType }: AcceptedRequest,
  { browser }: Session,
  random: Random,
): [string, string | undefined][] {
  const { code, idToken } = partsOf(responseType)
  if (!scope.includes('openid') || !(code || idToken)) return []
  joinSession(browser, client.client_id)
  const of = { clientId: client.client_id, redirectUri: to.redirectUri, state: browser.state }
  return [['session_state', sessionState(of, random)]]
}
