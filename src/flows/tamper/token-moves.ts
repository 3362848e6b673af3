import { encodeForm } from '../../http/form.js'
import { altered, asClient, without, withoutCredentials, withValue } from './messages.js'
import { isPublic, type Refusal, type Situation, type TokenMove } from './move.js'

const invalidGrant: Refusal = { by: 'token', errors: ['invalid_grant'] }
const invalidClient: Refusal = { by: 'token', errors: ['invalid_client'] }

/** More than any server's clock and ours differ by, in milliseconds. */
export const EXPIRY_MARGIN = 61_000

function needsSecret({ client }: Situation): string | undefined {
  return isPublic(client) ? 'the client is public: it has no secret' : undefined
}

function needsPkce({ pkce }: Situation): string | undefined {
  return pkce ? undefined : 'this flow uses no PKCE'
}

/** Wrong token requests. */
export const tokenMoves: readonly TokenMove[] = [
  {
    name: 'reuse-code',
    at: 'token_request',
    does: 'redeems the code a second time',
    risk: 'whoever finds a used code in a log or a history has a token',
    rule: 'RFC 6749 §4.1.2',
    expects: [invalidGrant],
    again: true,
    change: message => message,
  },
  {
    name: 'guessed-code',
    at: 'token_request',
    does: 'redeems a code that the server never issued',
    risk: 'codes can be made up',
    rule: 'RFC 6749 §5.2',
    expects: [invalidGrant],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'code', code => altered(code ?? '')),
    }),
  },
  {
    name: 'other-client-code',
    at: 'token_request',
    does: 'redeems the code as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'RFC 6749 §4.1.3',
    expects: [invalidGrant],
    notHere: ({ other }) => (other ? undefined : 'no second client of this server is known'),
    change: (message, { other }) => (other ? asClient(message, other) : message),
  },
  {
    name: 'wrong-redirect-uri',
    at: 'token_request',
    does: 'redeems the code with another redirect_uri than the code was sent to',
    risk: 'a code that was lured to another address can be injected into the client',
    rule: 'RFC 6749 §4.1.3',
    expects: [invalidGrant],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'redirect_uri', uri => `${uri ?? 'https://client.example'}/elsewhere`),
    }),
  },
  {
    name: 'missing-redirect-uri',
    at: 'token_request',
    does: 'leaves the redirect_uri out, though the authorization request had one',
    risk: 'a code that was lured to another address can be injected into the client',
    rule: 'RFC 6749 §4.1.3',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_request'] }],
    change: message => ({ ...message, pairs: without(message.pairs, 'redirect_uri') }),
  },
  {
    name: 'wrong-verifier',
    at: 'token_request',
    does: 'redeems the code with another code_verifier',
    risk: 'a stolen code can be redeemed by somebody who did not start the flow',
    rule: 'RFC 7636 §4.6',
    expects: [invalidGrant],
    notHere: needsPkce,
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'code_verifier', verifier => altered(verifier ?? '')),
    }),
  },
  {
    name: 'missing-verifier',
    at: 'token_request',
    does: 'redeems the code without its code_verifier',
    risk: 'a stolen code can be redeemed by somebody who did not start the flow',
    rule: 'RFC 9700 §4.8.2',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_request'] }],
    notHere: needsPkce,
    change: message => ({ ...message, pairs: without(message.pairs, 'code_verifier') }),
  },
  {
    name: 'expired-code',
    at: 'token_request',
    does: 'waits until the code has expired, by the server’s clock',
    risk: 'a code that leaks later is still good',
    rule: 'RFC 6749 §4.1.2',
    expects: [invalidGrant],
    wait: 'code',
    change: message => message,
  },
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
    notHere: needsSecret,
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
    risk: 'code and verifier end up in logs and histories',
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
    name: 'repeated-code',
    at: 'token_request',
    does: 'sends two codes in one request',
    risk: 'one part of the server checks the first and another uses the second',
    rule: 'RFC 6749 §3.2',
    expects: [{ by: 'token', errors: ['invalid_request', 'invalid_grant'] }],
    change: message => ({
      ...message,
      pairs: message.pairs.flatMap(([name, value]) =>
        name === 'code'
          ? [[name, value] as const, [name, altered(value)] as const]
          : [[name, value] as const],
      ),
    }),
  },
]
