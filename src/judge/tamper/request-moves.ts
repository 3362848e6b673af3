import { encodeForm } from '../../protocol/http/form.js'
import { altered, asClient, withoutCredentials, withValue } from './messages.js'
import { isPublic, type Refusal, type Situation, type TokenMove } from './move.js'
import { NO_SUCH_SCOPE } from './no-such-values.js'

const invalidClient: Refusal = { by: 'token', errors: ['invalid_client'] }

function needsProof({ client }: Situation): string | undefined {
  // Another move leaves the certificate out.
  if (client.proof === 'certificate') return 'the client has a certificate, and no secret'
  return isPublic(client) ? 'the client is public: it has no secret' : undefined
}

function needsSecret(situation: Situation): string | undefined {
  return situation.client.proof === 'key' ? 'the client has a key, and no secret' : needsProof(situation)
}

/** Wrong token requests of any grant. */
export const requestMoves: readonly TokenMove[] = [
  {
    name: 'both-credentials',
    at: 'token_request',
    does: 'authenticates in the header and in the body at once',
    risk: 'one part of the server checks the first and another uses the second',
    rule: 'RFC 6749 §2.3',
    expects: [{ by: 'token', errors: ['invalid_request', 'invalid_client'] }],
    notHere: needsSecret,
    change: (message, { client }) => asClient(message, client, ['client_secret_basic', 'client_secret_post']),
  },
  {
    name: 'no-credentials',
    at: 'token_request',
    does: 'names a confidential client and shows no credentials',
    risk: 'everybody can act as the client',
    rule: 'RFC 6749 §3.2.1',
    expects: [invalidClient],
    notHere: needsProof,
    change: (message, { client: { clientId } }) => {
      const bare = withoutCredentials(message)
      return { ...bare, pairs: [...bare.pairs, ['client_id', clientId]] }
    },
  },
  {
    name: 'wrong-secret',
    at: 'token_request',
    does: 'authenticates with a wrong secret',
    risk: 'everybody can act as the client',
    rule: 'RFC 6749 §5.2',
    expects: [invalidClient],
    notHere: needsSecret,
    change: (message, { client }) =>
      asClient(message, { ...client, clientSecret: altered(client.clientSecret ?? 'secret') }),
  },
  {
    name: 'credentials-in-query',
    at: 'token_request',
    does: 'puts the client credentials into the address',
    risk: 'the secret ends up in logs and histories',
    rule: 'RFC 6749 §2.3.1',
    expects: [{ by: 'token', errors: ['invalid_request', 'invalid_client'] }],
    notHere: needsSecret,
    change: (message, { client: { clientId, clientSecret } }) => {
      const query = encodeForm([
        ['client_id', clientId],
        ['client_secret', clientSecret],
      ])
      const mark = message.url.includes('?') ? '&' : '?'
      return { ...withoutCredentials(message), url: `${message.url}${mark}${query}` }
    },
  },
  {
    name: 'get-token-request',
    at: 'token_request',
    does: 'sends the token request with GET',
    risk: 'what is traded for the token ends up in logs and histories',
    rule: 'RFC 6749 §3.2',
    expects: [{ by: 'token', status: [400, 404, 405, 501], errors: [] }],
    change: message => ({
      ...message,
      method: 'GET',
      url: `${message.url}${message.url.includes('?') ? '&' : '?'}${encodeForm(message.pairs)}`,
      headers: message.headers.filter(([name]) => name.toLowerCase() !== 'content-type'),
      pairs: [],
    }),
  },
  {
    name: 'unknown-grant-type',
    at: 'token_request',
    does: 'names a grant_type that does not exist',
    risk: 'the server guesses what the client wanted',
    rule: 'RFC 6749 §5.2',
    expects: [{ by: 'token', errors: ['unsupported_grant_type'] }],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'grant_type', () => 'oauth-lab-no-such-grant'),
    }),
  },
  {
    name: 'unknown-scope',
    at: 'token_request',
    grants: ['password', 'client-credentials', 'assertion'],
    does: 'asks for a scope that does not exist',
    risk: 'a token claims rights that nobody defined',
    rule: 'RFC 6749 §3.3',
    expects: [{ by: 'token', errors: ['invalid_scope'] }],
    forbids: () => NO_SUCH_SCOPE,
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'scope', scope => `${scope} ${NO_SUCH_SCOPE}`.trim()),
    }),
  },
]
