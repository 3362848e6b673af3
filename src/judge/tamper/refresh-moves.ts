import { answerMembers } from '../../flows/answers/answer-members.js'
import { parseForm } from '../../protocol/http/form.js'
import { text } from '../../protocol/http/message.js'
import { parseScope } from '../../protocol/oauth/scope.js'
import { altered, asClient, withValue } from './messages.js'
import { isPublic, type Refusal, type Situation, type TokenMove } from './move.js'
import { NO_SUCH_SCOPE } from './no-such-values.js'
import type { Seen } from './seen.js'

const invalidGrant: Refusal = { by: 'token', errors: ['invalid_grant'] }

/** A scope that was not granted before: one that the server knows, where there is one. */
function wider({ knownScopes = [] }: Situation, { scope }: Seen): string {
  const granted = parseScope(scope ?? '') ?? []
  return knownScopes.find(each => !granted.includes(each)) ?? NO_SUCH_SCOPE
}

/** Wrong requests with a refresh token, or with a token that is exchanged. */
export const refreshMoves: readonly TokenMove[] = [
  {
    name: 'reuse-refresh-token',
    at: 'token_request',
    grants: ['refresh'],
    does: 'uses a refresh token a second time',
    risk: 'a stolen refresh token stays good, and nobody notices',
    rule: 'RFC 9700 §4.14.2',
    expects: [invalidGrant],
    again: 'anew',
    harmless: ({ client, bound }) =>
      isPublic(client) && !bound
        ? undefined
        : 'a thief is stopped all the same: the client proves who it is, or the token is bound to its key',
    // The refresh token of a public client must be rotated or bound to a key (RFC 9700 §2.2.2).
    notAgain: (request, first, { client, bound }) => {
      const { refresh_token: next } = answerMembers(first)
      const sent = parseForm(text(request.body)).find(([name]) => name === 'refresh_token')?.[1]
      const unprotected = isPublic(client) && !bound
      return unprotected || (next !== undefined && next !== sent)
        ? undefined
        : 'the server does not rotate, and need not: the client proves who it is, or the token is bound to its key'
    },
    change: message => message,
  },
  {
    name: 'guessed-refresh-token',
    at: 'token_request',
    grants: ['refresh'],
    does: 'uses a refresh token that the server never issued',
    risk: 'refresh tokens can be made up',
    rule: 'RFC 6749 §10.4',
    expects: [invalidGrant],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'refresh_token', altered),
    }),
  },
  {
    name: 'other-client-refresh-token',
    at: 'token_request',
    grants: ['refresh'],
    does: 'uses the refresh token as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'RFC 6749 §6',
    expects: [{ by: 'token', errors: ['invalid_grant', 'unauthorized_client'] }],
    needs: 'other',
    change: (message, { other }) => (other ? asClient(message, other) : message),
  },
  {
    name: 'widened-scope',
    at: 'token_request',
    grants: ['refresh', 'token-exchange'],
    does: 'asks for more scope than was granted before',
    risk: 'a token grows beyond what the person allowed',
    rule: 'RFC 6749 §6',
    expects: [{ by: 'token', errors: ['invalid_scope'] }],
    forbids: wider,
    change: (message, situation, seen) => ({
      ...message,
      pairs: withValue(message.pairs, 'scope', () => `${seen.scope ?? ''} ${wider(situation, seen)}`.trim()),
    }),
  },
  {
    name: 'expired-refresh-token',
    at: 'token_request',
    grants: ['refresh'],
    does: 'waits until the refresh token has expired, by the server’s clock',
    risk: 'a refresh token that leaks once is good for ever',
    rule: 'RFC 6749 §5.2',
    expects: [invalidGrant],
    wait: 'refreshToken',
    change: message => message,
  },
]
