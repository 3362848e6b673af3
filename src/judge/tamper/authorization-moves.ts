import type { FormPairs } from '../../protocol/http/form.js'
import type { Citation } from '../../protocol/rules/rule.js'
import { loginMoves } from './login-moves.js'
import { STRANGER, without, withValue } from './messages.js'
import { type AuthorizationMove, isPublic, type LoginMove, type Refusal } from './move.js'
import {
  NO_SUCH_DETAILS,
  NO_SUCH_RESOURCE,
  NO_SUCH_SCOPE,
  needsDetailTypes,
  needsResources,
} from './no-such-values.js'
import { pushMoves } from './push-moves.js'

const page: Refusal = { by: 'page', errors: [] }

/** Refusals that may go to the client, because its address is good. */
const told = (...errors: string[]): Refusal => ({ by: 'redirect', errors })

/** Makes a move that replaces the redirect_uri by one that nobody registered. */
function redirectMove(
  move: Pick<AuthorizationMove, 'name' | 'does' | 'risk'> & { readonly rule?: Citation },
  change: (registered: string) => string,
): AuthorizationMove {
  return {
    rule: 'RFC 9700 §4.1.3',
    ...move,
    at: 'authorization_request',
    expects: [page],
    change: pairs => withValue(pairs, 'redirect_uri', change),
  }
}

/** Returns the address with another host and port. */
function under(uri: string, authority: (host: string) => string): string {
  const [, scheme = 'https://', host = '', rest = ''] =
    /^([a-z][a-z0-9+.-]*:\/\/)([^/?#]*)(.*)$/i.exec(uri) ?? []
  return `${scheme}${authority(host)}${rest}`
}

/** `127.0.0.1:7000` and `.attacker.example` make `127.0.0.1.attacker.example:7000`. */
function lookAlike(host: string): string {
  const [, name = host, port = ''] = /^(.*?)(:\d+)?$/.exec(host) ?? []
  return `${name.replace(/[[\]:]/g, '-')}.${STRANGER}${port}`
}

const redirectMoves: readonly AuthorizationMove[] = [
  redirectMove(
    {
      name: 'unregistered-redirect-uri',
      does: 'asks for the answer at an address of somebody else',
      risk: 'the code goes to the person who made the link',
      rule: 'RFC 6749 §4.1.2.1',
    },
    () => `https://${STRANGER}/callback`,
  ),
  redirectMove(
    {
      name: 'redirect-uri-user-info',
      does: 'puts the registered host before an @, where it is only a user name',
      risk: 'a prefix comparison is fooled, and the code goes to a stranger',
    },
    uri => under(uri, host => `${host}@${STRANGER}`),
  ),
  redirectMove(
    {
      name: 'redirect-uri-look-alike',
      does: 'asks for a host that begins like the registered one',
      risk: 'a prefix comparison is fooled, and the code goes to a stranger',
    },
    uri => under(uri, lookAlike),
  ),
  redirectMove(
    {
      name: 'redirect-uri-path',
      does: 'adds a segment to the registered path',
      risk: 'another page of the client, such as an open redirector, gets the code',
    },
    uri => uri.replace(/\/?(?=[?#]|$)/, '/elsewhere'),
  ),
  redirectMove(
    {
      name: 'redirect-uri-query',
      does: 'adds a parameter to the registered address',
      risk: 'the client is made to act on a parameter it did not write',
    },
    uri => `${uri}${uri.includes('?') ? '&' : '?'}next=https%3A%2F%2F${STRANGER}`,
  ),
  redirectMove(
    {
      name: 'redirect-uri-fragment',
      does: 'adds a fragment to the registered address',
      risk: 'the answer is hidden from the client behind the fragment',
      rule: 'RFC 6749 §3.1.2',
    },
    uri => `${uri}#elsewhere`,
  ),
  redirectMove(
    {
      name: 'redirect-uri-script',
      does: 'asks for the answer at an address that a browser would run',
      risk: 'a script of the attacker runs with the code',
    },
    () => 'javascript:alert(1)',
  ),
]

function missingChallenge({ pkce }: { readonly pkce: boolean }): string | undefined {
  return pkce ? undefined : 'this flow uses no PKCE'
}

const stripChallenge = (pairs: FormPairs) => without(pairs, 'code_challenge', 'code_challenge_method')

const requestMoves: readonly AuthorizationMove[] = [
  {
    name: 'unknown-client',
    at: 'authorization_request',
    does: 'names a client that nobody registered',
    risk: 'an address that nobody registered is redirected to',
    rule: 'RFC 6749 §4.1.2.1',
    expects: [page],
    change: pairs => withValue(pairs, 'client_id', () => 'oauth-lab-no-such-client'),
  },
  {
    name: 'repeated-parameter',
    at: 'authorization_request',
    does: 'sends redirect_uri twice, the second time with the address of somebody else',
    risk: 'one part of the server checks the first and another uses the second',
    rule: 'RFC 6749 §3.1',
    expects: [page, told('invalid_request')],
    change: pairs => [...pairs, ['redirect_uri', `https://${STRANGER}/callback`]],
  },
  {
    name: 'unknown-response-type',
    at: 'authorization_request',
    does: 'asks for a response_type that does not exist',
    risk: 'the server guesses what the client wanted',
    rule: 'RFC 6749 §3.1.1',
    expects: [told('unsupported_response_type', 'invalid_request', 'unauthorized_client'), page],
    change: pairs => withValue(pairs, 'response_type', () => 'oauth-lab-no-such-type'),
  },
  {
    name: 'unregistered-response-type',
    at: 'authorization_request',
    codeOnly: true,
    does: 'asks for a token from the authorization endpoint, for which the client is not registered',
    risk: 'tokens end up in addresses and histories',
    rule: 'RFC 6749 §4.2.2.1',
    expects: [told('unauthorized_client', 'unsupported_response_type'), page],
    needs: 'responseTypes',
    notHere: ({ responseTypes }) =>
      responseTypes?.includes('token') ? 'the client is registered for response_type token' : undefined,
    change: pairs => withValue(pairs, 'response_type', () => 'token'),
  },
  {
    name: 'scope-escalation',
    at: 'authorization_request',
    does: 'asks for a scope that does not exist beside its own',
    risk: 'a token claims rights that nobody defined',
    rule: 'RFC 6749 §3.3',
    expects: [told('invalid_scope')],
    until: 'token_request',
    forbiddenScope: NO_SUCH_SCOPE,
    change: pairs => withValue(pairs, 'scope', value => `${value} ${NO_SUCH_SCOPE}`.trim()),
  },
  {
    name: 'unknown-resource',
    at: 'authorization_request',
    does: 'asks for a token for a resource that nobody registered',
    risk: 'a client gets a token for any API that it names',
    rule: 'RFC 8707 §2',
    expects: [told('invalid_target')],
    notHere: needsResources,
    change: pairs => [...without(pairs, 'resource'), ['resource', NO_SUCH_RESOURCE]],
  },
  {
    name: 'unknown-details-type',
    at: 'authorization_request',
    codeOnly: true,
    does: 'asks for authorization details of a type that does not exist',
    risk: 'people allow, and resource servers read, rights that nobody defined',
    rule: 'RFC 9396 §5',
    expects: [told('invalid_authorization_details')],
    notHere: needsDetailTypes,
    change: pairs => [...without(pairs, 'authorization_details'), ['authorization_details', NO_SUCH_DETAILS]],
  },
  {
    name: 'no-challenge',
    at: 'authorization_request',
    codeOnly: true,
    does: 'leaves the code_challenge out, as a public client',
    risk: 'anyone who sees the code can redeem it: a public client has nothing else to show',
    rule: 'RFC 9700 §2.1.1',
    publicOnly: true,
    expects: [told('invalid_request'), page],
    notHere: situation =>
      isPublic(situation.client) ? missingChallenge(situation) : 'only a public client must use PKCE',
    change: stripChallenge,
  },
  {
    name: 'plain-challenge',
    at: 'authorization_request',
    codeOnly: true,
    does: 'sends the code_challenge by the method plain',
    risk: 'anyone who sees the request knows the verifier',
    rule: 'RFC 7636 §4.4.1',
    expects: [told('invalid_request'), page],
    notHere: situation =>
      situation.challengeMethods.includes('plain')
        ? 'the server announces the method plain'
        : missingChallenge(situation),
    change: pairs => withValue(pairs, 'code_challenge_method', () => 'plain'),
  },
  {
    name: 'downgrade-pkce',
    at: 'authorization_request',
    codeOnly: true,
    does: 'strips the code_challenge from the request on its way; the client still sends its verifier',
    risk: 'an attacker switches PKCE off, and injects a stolen code',
    rule: 'RFC 9700 §4.8.2',
    expects: [{ by: 'token', errors: ['invalid_grant', 'invalid_request'] }, told('invalid_request'), page],
    until: 'token_request',
    notHere: missingChallenge,
    change: stripChallenge,
  },
]

const nonceMoves: readonly AuthorizationMove[] = [
  {
    name: 'no-nonce',
    at: 'authorization_request',
    brings: 'id_token',
    does: 'asks for an id_token through the browser without a nonce',
    risk: 'a stolen id_token logs its thief in, because nothing ties it to a login',
    rule: 'OpenID Connect Core §3.3.2.11',
    expects: [told('invalid_request'), page],
    change: pairs => without(pairs, 'nonce'),
  },
]

/** Wrong authorization requests, and wrong login forms. */
export const authorizationMoves: readonly (AuthorizationMove | LoginMove)[] = [
  ...requestMoves,
  ...redirectMoves,
  ...nonceMoves,
  ...pushMoves,
  ...loginMoves,
]
