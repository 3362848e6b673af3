import { changeBody, STRANGER, withOpenId, without, withoutGuesses, withValue } from './messages.js'
import type { AuthorizationMove, LoginMove, Refusal, Situation } from './move.js'

const page: Refusal = { by: 'page', errors: [] }

const told = (...errors: string[]): Refusal => ({ by: 'redirect', errors })

/** True for a value that the person typed, and the page did not contain. */
function isTyped(value: string, credentials: Situation['credentials']): boolean {
  return value === credentials?.username || value === credentials?.password
}

/** Wrong users and wrong login forms. */
export const loginMoves: readonly (AuthorizationMove | LoginMove)[] = [
  {
    name: 'other-user-hint',
    at: 'authorization_request',
    codeOnly: true,
    does: 'names another user in id_token_hint than the one who logs in',
    risk: 'an application that is open for one user goes on as another',
    rule: 'OpenID Connect Core §3.1.2.2',
    expects: [
      told('login_required', 'interaction_required', 'account_selection_required', 'access_denied'),
      page,
    ],
    needs: 'secondUser',
    change: (pairs, { secondIdToken }) => [
      ...withValue(without(pairs, 'id_token_hint'), 'scope', withOpenId),
      ...(secondIdToken === undefined ? [] : [['id_token_hint', secondIdToken] as const]),
    ],
  },
  {
    name: 'no-csrf-value',
    at: 'login',
    does: 'sends the login form from a foreign page, which does not know its hidden values',
    risk: 'a foreign page logs the person in without their knowledge',
    rule: 'RFC 6749 §10.12',
    expects: [page, told('access_denied', 'invalid_request')],
    needs: 'credentials',
    change: (request, { credentials }, asked) => ({
      ...changeBody(request, pairs => pairs.filter(([, value]) => isTyped(value, credentials))),
      url: withoutGuesses(request.url, asked),
      headers: request.headers
        .filter(([name]) => name.toLowerCase() !== 'referer')
        .map(([name, value]) => [name, name.toLowerCase() === 'origin' ? `https://${STRANGER}` : value]),
    }),
  },
  {
    name: 'no-csrf-cookie',
    at: 'login',
    does: 'sends the login form of one browser from another, without the cookie',
    risk: 'an attacker’s form logs the person in as the attacker (login CSRF)',
    rule: 'RFC 6749 §10.12',
    expects: [page, told('access_denied', 'invalid_request')],
    change: request => ({
      ...request,
      headers: request.headers.filter(([name]) => name.toLowerCase() !== 'cookie'),
    }),
  },
]
