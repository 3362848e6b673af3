import { selfSignedToken, unsignedToken } from './forged-tokens.js'
import { altered, STRANGER, without, withValue } from './messages.js'
import type { LogoutMove, LogoutReturnMove, NotMade, Refusal, Situation } from './move.js'

const RULE = 'OpenID Connect RP-Initiated Logout §2'
const RETURN_RULE = 'OpenID Connect RP-Initiated Logout §3'

const page: Refusal = { by: 'page', errors: ['invalid_request'] }
const anyPage: Refusal = { by: 'page', errors: [] }
const asked: Refusal = { by: 'question', errors: [] }

const noReturn = ({ logoutReturn }: Situation): string | undefined =>
  logoutReturn === undefined
    ? 'no registered post_logout_redirect_uri is known: --post-logout-redirect-uri URI'
    : undefined

/** Replaces the ID token of a logout request. */
const hinted =
  (forge: (token: string) => string | NotMade | Promise<string | NotMade>): LogoutMove['change'] =>
  async pairs => {
    const hint = pairs.find(([name]) => name === 'id_token_hint')?.[1]
    const forged = hint === undefined ? { problem: 'the client has no id_token' } : await forge(hint)
    return typeof forged === 'string' ? withValue(pairs, 'id_token_hint', () => forged) : forged
  }

/** Wrong logout requests, and a wrong return (OpenID Connect RP-Initiated Logout). */
export const logoutMoves: readonly (LogoutMove | LogoutReturnMove)[] = [
  {
    name: 'unregistered-logout-return',
    at: 'logout_request',
    does: 'names an address in post_logout_redirect_uri that is not registered',
    risk: 'a link to the server leads people to a page of an attacker (open redirect)',
    rule: RETURN_RULE,
    expects: [page, anyPage],
    change: pairs => withValue(pairs, 'post_logout_redirect_uri', () => `https://${STRANGER}/logged-out`),
  },
  {
    name: 'logout-without-client',
    at: 'logout_request',
    does: 'asks for a return after the logout, and names neither the client nor an ID token',
    risk: 'addresses of all clients together are good for the link of an attacker',
    rule: RETURN_RULE,
    expects: [page, anyPage],
    notHere: noReturn,
    change: pairs => without(pairs, 'id_token_hint', 'client_id'),
  },
  {
    name: 'logout-as-other-client',
    at: 'logout_request',
    does: 'names another client in client_id than the one of the ID token',
    risk: 'a client uses an ID token of another one, which it found in a log',
    rule: RULE,
    expects: [page, anyPage],
    needs: 'other',
    notHere: noReturn,
    change: (pairs, { other }) => withValue(pairs, 'client_id', () => other?.clientId ?? ''),
  },
  {
    name: 'logout-without-hint',
    at: 'logout_request',
    mustAsk: true,
    does: 'asks for a logout without an ID token, as any page of the web can',
    risk: 'any page logs people out, without a question',
    rule: RULE,
    expects: [asked, anyPage],
    change: pairs => without(pairs, 'id_token_hint'),
  },
  {
    name: 'foreign-logout-hint',
    at: 'logout_request',
    mustAsk: true,
    does: 'signs the ID token in id_token_hint with a key of its own',
    risk: 'anyone who knows a username logs that person out, without a question',
    rule: RULE,
    expects: [page, asked, anyPage],
    change: hinted(token => selfSignedToken(token)),
  },
  {
    name: 'unsigned-logout-hint',
    at: 'logout_request',
    mustAsk: true,
    does: 'sends the ID token in id_token_hint without a signature (alg none)',
    risk: 'anyone who knows a username logs that person out, without a question',
    rule: RULE,
    expects: [page, asked, anyPage],
    change: hinted(unsignedToken),
  },
  {
    name: 'other-user-logout-hint',
    at: 'logout_request',
    mustAsk: true,
    does: 'sends an ID token about another user than the one who is logged in',
    risk: 'one user logs another one out, without a question',
    rule: RULE,
    expects: [asked, anyPage],
    needs: 'secondUser',
    change: (pairs, { secondIdToken }) =>
      secondIdToken === undefined ? pairs : withValue(pairs, 'id_token_hint', () => secondIdToken),
  },
  {
    name: 'altered-logout-state',
    at: 'logout_response',
    does: 'changes state on the way back from the logout',
    risk: 'a page of the web makes a client believe that its user has logged out',
    rule: RULE,
    expects: [{ by: 'client', errors: ['state_mismatch'] }],
    notHere: noReturn,
    change: pairs => withValue(pairs, 'state', altered),
  },
]
