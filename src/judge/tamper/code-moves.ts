import { altered, asClient, without, withValue } from './messages.js'
import type { Refusal, Situation, TokenMove } from './move.js'
import { needsDetailTypes, needsResources } from './no-such-values.js'

const invalidGrant: Refusal = { by: 'token', errors: ['invalid_grant'] }

function needsPkce({ pkce }: Situation): string | undefined {
  return pkce ? undefined : 'this flow uses no PKCE'
}

/** Wrong token requests with a code. */
export const codeMoves: readonly TokenMove[] = [
  {
    name: 'reuse-code',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems the code a second time',
    risk: 'anyone who finds a used code in a log or a history has a token',
    rule: 'RFC 6749 §4.1.2',
    expects: [invalidGrant],
    again: 'anew',
    change: message => message,
  },
  {
    name: 'guessed-code',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems a code that the server never issued',
    risk: 'codes can be made up',
    rule: 'RFC 6749 §5.2',
    expects: [invalidGrant],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'code', altered),
    }),
  },
  {
    name: 'other-client-code',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems the code as another client',
    risk: 'one client gets the tokens that a person meant for another',
    rule: 'RFC 6749 §4.1.3',
    expects: [invalidGrant],
    needs: 'other',
    change: (message, { other }) => (other ? asClient(message, other) : message),
  },
  {
    name: 'wrong-redirect-uri',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems the code with another redirect_uri than the code was sent to',
    risk: 'a code that was lured to another address can be injected into the client',
    rule: 'RFC 6749 §4.1.3',
    expects: [invalidGrant],
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'redirect_uri', uri => `${uri}/elsewhere`),
    }),
  },
  {
    name: 'missing-redirect-uri',
    at: 'token_request',
    grants: ['code'],
    does: 'leaves the redirect_uri out, though the authorization request had one',
    risk: 'a code that was lured to another address can be injected into the client',
    rule: 'RFC 6749 §4.1.3',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_request'] }],
    change: message => ({ ...message, pairs: without(message.pairs, 'redirect_uri') }),
  },
  {
    name: 'wrong-verifier',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems the code with another code_verifier',
    risk: 'a stolen code can be redeemed by somebody who did not start the flow',
    rule: 'RFC 7636 §4.6',
    expects: [invalidGrant],
    notHere: needsPkce,
    change: message => ({
      ...message,
      pairs: withValue(message.pairs, 'code_verifier', altered),
    }),
  },
  {
    name: 'missing-verifier',
    at: 'token_request',
    grants: ['code'],
    does: 'redeems the code without its code_verifier',
    risk: 'a stolen code can be redeemed by somebody who did not start the flow',
    rule: 'RFC 9700 §4.8.2',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_request'] }],
    notHere: needsPkce,
    change: message => ({ ...message, pairs: without(message.pairs, 'code_verifier') }),
  },
  {
    name: 'unauthorized-resource',
    at: 'token_request',
    grants: ['code'],
    does: 'asks for a token for a resource that the authorization request did not name',
    risk: 'a client gets a token for an API that the person never saw it ask for',
    rule: 'RFC 8707 §2.2',
    expects: [{ by: 'token', errors: ['invalid_target', 'invalid_grant'] }],
    notHere: needsResources,
    // RFC 8707 §2.2: the policy of the server "may limit" the resources to those that were granted.
    harmless: () => 'RFC 8707 §2.2 lets the server decide',
    authorize: pairs => without(pairs, 'resource'),
    change: (message, { knownResources = [] }) => ({
      ...message,
      pairs: [
        ...without(message.pairs, 'resource'),
        ...knownResources.slice(0, 1).map(each => ['resource', each] as const),
      ],
    }),
  },
  {
    name: 'unauthorized-details',
    at: 'token_request',
    grants: ['code'],
    does: 'asks for authorization details that the authorization request did not have',
    risk: 'a client gets a token for a payment that the person never saw',
    rule: 'RFC 9396 §6',
    expects: [{ by: 'token', errors: ['invalid_authorization_details', 'invalid_grant'] }],
    notHere: needsDetailTypes,
    authorize: pairs => without(pairs, 'authorization_details'),
    change: (message, { detailTypes = [] }) => ({
      ...message,
      pairs: [
        ...without(message.pairs, 'authorization_details'),
        ['authorization_details', JSON.stringify(detailTypes.slice(0, 1).map(type => ({ type })))],
      ],
    }),
  },
  {
    name: 'expired-code',
    at: 'token_request',
    grants: ['code'],
    does: 'waits until the code has expired, by the server’s clock',
    risk: 'a code that leaks later is still good',
    rule: 'RFC 6749 §4.1.2',
    expects: [invalidGrant],
    wait: 'code',
    change: message => message,
  },
  {
    name: 'repeated-code',
    at: 'token_request',
    grants: ['code'],
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
