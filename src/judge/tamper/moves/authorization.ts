import type { FormPairs } from '../../../protocol/http/form.js'
import type { Citation } from '../../../protocol/rules/rule.js'
import {
  altered,
  changeBody,
  STRANGER,
  withOpenId,
  without,
  withoutGuesses,
  withoutHeader,
  withValue,
} from '../messages.js'
import {
  type AuthorizationMove,
  atEndpoint,
  authorizationTable,
  byClient,
  byRedirect,
  type LoginMove,
  loginTable,
  page,
} from '../move.js'
import { isPublic, type Situation } from '../situation.js'

/** A scope that no server knows. */
export const NO_SUCH_SCOPE = 'oauth-lab:no-such-scope'

/** A resource that no server knows. `.example` belongs to nobody (RFC 2606). */
const NO_SUCH_RESOURCE = 'https://oauth-lab-no-such-resource.example'

/** A type of authorization details that no server knows. */
const NO_SUCH_DETAILS = JSON.stringify([{ type: 'oauth-lab-no-such-type' }])

/** Why nothing is known about the resources of a server; undefined where it announces them. */
export function needsResources({ knownResources = [] }: Situation): string | undefined {
  return knownResources.length > 0
    ? undefined
    : 'the server announces no resources that it knows (RFC 9728 §4)'
}

/** Why nothing is known about authorization details of a server; undefined where it announces types of them. */
export function needsDetailTypes({ detailTypes = [] }: Situation): string | undefined {
  return detailTypes.length > 0
    ? undefined
    : 'the server announces no types of authorization details (RFC 9396 §10)'
}

/** Why nothing about PKCE can be wrong; undefined for a flow with PKCE. */
export function needsPkce({ pkce }: Pick<Situation, 'pkce'>): string | undefined {
  return pkce ? undefined : 'this flow uses no PKCE'
}

const stripChallenge = (pairs: FormPairs) => without(pairs, 'code_challenge', 'code_challenge_method')

const requestMoves = authorizationTable({}, [
  {
    name: 'unknown-client',
    does: 'names a client that nobody registered',
    risk: 'an address that nobody registered is redirected to',
    rule: 'RFC 6749 §4.1.2.1',
    expects: [page],
    change: pairs => withValue(pairs, 'client_id', () => 'oauth-lab-no-such-client'),
  },
  {
    name: 'repeated-parameter',
    does: 'sends redirect_uri twice, the second time with the address of somebody else',
    risk: 'one part of the server checks the first and another uses the second',
    rule: 'RFC 6749 §3.1',
    expects: [page, byRedirect('invalid_request')],
    change: pairs => [...pairs, ['redirect_uri', `https://${STRANGER}/callback`]],
  },
  {
    name: 'unknown-response-type',
    does: 'asks for a response_type that does not exist',
    risk: 'the server guesses what the client wanted',
    rule: 'RFC 6749 §3.1.1',
    expects: [byRedirect('unsupported_response_type', 'invalid_request', 'unauthorized_client'), page],
    change: pairs => withValue(pairs, 'response_type', () => 'oauth-lab-no-such-type'),
  },
  {
    name: 'unregistered-response-type',
    codeOnly: true,
    does: 'asks for a token from the authorization endpoint, for which the client is not registered',
    risk: 'tokens end up in addresses and histories',
    rule: 'RFC 6749 §4.2.2.1',
    expects: [byRedirect('unauthorized_client', 'unsupported_response_type'), page],
    needs: 'responseTypes',
    notHere: ({ responseTypes }) =>
      responseTypes?.includes('token') ? 'the client is registered for response_type token' : undefined,
    change: pairs => withValue(pairs, 'response_type', () => 'token'),
  },
  {
    name: 'scope-escalation',
    does: 'asks for a scope that does not exist beside its own',
    risk: 'a token claims rights that nobody defined',
    rule: 'RFC 6749 §3.3',
    expects: [byRedirect('invalid_scope')],
    until: 'token_request',
    forbiddenScope: NO_SUCH_SCOPE,
    change: pairs => withValue(pairs, 'scope', value => `${value} ${NO_SUCH_SCOPE}`.trim()),
  },
  {
    name: 'unknown-resource',
    does: 'asks for a token for a resource that nobody registered',
    risk: 'a client gets a token for any API that it names',
    rule: 'RFC 8707 §2',
    expects: [byRedirect('invalid_target')],
    notHere: needsResources,
    change: pairs => [...without(pairs, 'resource'), ['resource', NO_SUCH_RESOURCE]],
  },
  {
    name: 'unknown-details-type',
    codeOnly: true,
    does: 'asks for authorization details of a type that does not exist',
    risk: 'people allow, and resource servers read, rights that nobody defined',
    rule: 'RFC 9396 §5',
    expects: [byRedirect('invalid_authorization_details')],
    notHere: needsDetailTypes,
    change: pairs => [...without(pairs, 'authorization_details'), ['authorization_details', NO_SUCH_DETAILS]],
  },
  {
    name: 'no-challenge',
    codeOnly: true,
    does: 'leaves the code_challenge out, as a public client',
    risk: 'anyone who sees the code can redeem it: a public client has nothing else to show',
    rule: 'RFC 9700 §2.1.1',
    publicOnly: true,
    expects: [byRedirect('invalid_request'), page],
    notHere: situation =>
      isPublic(situation.client) ? needsPkce(situation) : 'only a public client must use PKCE',
    change: stripChallenge,
  },
  {
    name: 'plain-challenge',
    codeOnly: true,
    does: 'sends the code_challenge by the method plain',
    risk: 'anyone who sees the request knows the verifier',
    rule: 'RFC 7636 §4.4.1',
    expects: [byRedirect('invalid_request'), page],
    notHere: situation =>
      situation.challengeMethods.includes('plain')
        ? 'the server announces the method plain'
        : needsPkce(situation),
    change: pairs => withValue(pairs, 'code_challenge_method', () => 'plain'),
  },
  {
    name: 'downgrade-pkce',
    codeOnly: true,
    does: 'strips the code_challenge from the request on its way; the client still sends its verifier',
    risk: 'an attacker switches PKCE off, and injects a stolen code',
    rule: 'RFC 9700 §4.8.2',
    expects: [atEndpoint('invalid_grant', 'invalid_request'), byRedirect('invalid_request'), page],
    until: 'token_request',
    notHere: needsPkce,
    change: stripChallenge,
  },
])

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

/** A row of the table of addresses that nobody registered. `change` makes one of the registered address. */
type RedirectRow = Pick<AuthorizationMove, 'name' | 'does' | 'risk'> & {
  readonly rule?: Citation
  readonly change: (registered: string) => string
}

const redirectRows: readonly RedirectRow[] = [
  {
    name: 'unregistered-redirect-uri',
    does: 'asks for the answer at an address of somebody else',
    risk: 'the code goes to the person who made the link',
    rule: 'RFC 6749 §4.1.2.1',
    change: () => `https://${STRANGER}/callback`,
  },
  {
    name: 'redirect-uri-user-info',
    does: 'puts the registered host before an @, where it is only a user name',
    risk: 'a prefix comparison is fooled, and the code goes to a stranger',
    change: uri => under(uri, host => `${host}@${STRANGER}`),
  },
  {
    name: 'redirect-uri-look-alike',
    does: 'asks for a host that begins like the registered one',
    risk: 'a prefix comparison is fooled, and the code goes to a stranger',
    change: uri => under(uri, lookAlike),
  },
  {
    name: 'redirect-uri-path',
    does: 'adds a segment to the registered path',
    risk: 'another page of the client, such as an open redirector, gets the code',
    change: uri => uri.replace(/\/?(?=[?#]|$)/, '/elsewhere'),
  },
  {
    name: 'redirect-uri-query',
    does: 'adds a parameter to the registered address',
    risk: 'the client is made to act on a parameter it did not write',
    change: uri => `${uri}${uri.includes('?') ? '&' : '?'}next=https%3A%2F%2F${STRANGER}`,
  },
  {
    name: 'redirect-uri-fragment',
    does: 'adds a fragment to the registered address',
    risk: 'the answer is hidden from the client behind the fragment',
    rule: 'RFC 6749 §3.1.2',
    change: uri => `${uri}#elsewhere`,
  },
  {
    name: 'redirect-uri-script',
    does: 'asks for the answer at an address that a browser would run',
    risk: 'a script of the attacker runs with the code',
    change: () => 'javascript:alert(1)',
  },
]

const redirectMoves = authorizationTable(
  { expects: [page] },
  redirectRows.map(({ change, rule = 'RFC 9700 §4.1.3', ...row }) => ({
    ...row,
    rule,
    change: (pairs: FormPairs) => withValue(pairs, 'redirect_uri', change),
  })),
)

const nonceMoves = authorizationTable({ brings: 'id_token' }, [
  {
    name: 'no-nonce',
    does: 'asks for an id_token through the browser without a nonce',
    risk: 'a stolen id_token logs its thief in, because nothing ties it to a login',
    rule: 'OpenID Connect Core §3.3.2.11',
    expects: [byRedirect('invalid_request'), page],
    change: pairs => without(pairs, 'nonce'),
  },
])

/** Pushed requests that the browser must not use so (RFC 9126). */
const pushMoves = authorizationTable({ afterPush: true, expects: [page] }, [
  {
    name: 'guessed-request-uri',
    does: 'sends the browser with a request_uri that the server never gave',
    risk: 'requests of others can be found by guessing',
    rule: 'RFC 9126 §7.1',
    change: pairs => withValue(pairs, 'request_uri', altered),
  },
  {
    name: 'other-client-request-uri',
    does: 'sends the browser with the request_uri of one client and the name of another',
    risk: 'one client acts on a request that another pushed',
    rule: 'RFC 9126 §2.2',
    needs: 'other',
    change: (pairs, { other }) => withValue(pairs, 'client_id', value => other?.clientId ?? value),
  },
  {
    name: 'reused-request-uri',
    usedBefore: true,
    does: 'sends the browser with a request_uri by which another person logged in before',
    risk: 'anyone who finds a request_uri in a history can start the same login again',
    rule: 'RFC 9126 §4',
    needs: 'secondUser',
    change: pairs => pairs,
  },
  {
    name: 'expired-request-uri',
    does: 'waits until the request_uri has expired, by the server’s clock',
    risk: 'a request that leaks later is still good',
    rule: 'RFC 9126 §4',
    wait: 'requestUri',
    change: pairs => pairs,
  },
  {
    name: 'unpushed-request',
    does: 'sends the browser with the parameters themselves, though requests have to be pushed',
    risk: 'anyone on the way through the browser reads and changes the request',
    rule: 'RFC 9126 §5',
    expects: [byRedirect('invalid_request'), page],
    notHere: ({ pushRequired }) =>
      pushRequired ? undefined : 'neither the server nor the client requires pushed requests',
    change: (pairs, _situation, pushed) => [
      ...pairs.filter(([name]) => name === 'client_id'),
      ...without(pushed, 'client_id', 'client_secret', 'client_assertion', 'client_assertion_type'),
    ],
  },
])

const userMoves = authorizationTable({ codeOnly: true }, [
  {
    name: 'other-user-hint',
    does: 'names another user in id_token_hint than the one who logs in',
    risk: 'an application that is open for one user goes on as another',
    rule: 'OpenID Connect Core §3.1.2.2',
    expects: [
      byRedirect('login_required', 'interaction_required', 'account_selection_required', 'access_denied'),
      page,
    ],
    needs: 'secondUser',
    change: (pairs, { secondIdToken }) => [
      ...withValue(without(pairs, 'id_token_hint'), 'scope', withOpenId),
      ...(secondIdToken === undefined ? [] : [['id_token_hint', secondIdToken] as const]),
    ],
  },
])

/** True for a value that the person typed, and the page did not contain. */
function isTyped(value: string, credentials: Situation['credentials']): boolean {
  return value === credentials?.username || value === credentials?.password
}

/** Wrong login forms. */
const formMoves = loginTable(
  { expects: [page, byRedirect('access_denied', 'invalid_request')], rule: 'RFC 6749 §10.12' },
  [
    {
      name: 'no-csrf-value',
      does: 'sends the login form from a foreign page, which does not know its hidden values',
      risk: 'a foreign page logs the person in without their knowledge',
      needs: 'credentials',
      change: (request, { credentials }, asked) => ({
        ...changeBody(request, pairs => pairs.filter(([, value]) => isTyped(value, credentials))),
        url: withoutGuesses(request.url, asked),
        headers: withoutHeader(request.headers, 'referer').map(([name, value]) => [
          name,
          name.toLowerCase() === 'origin' ? `https://${STRANGER}` : value,
        ]),
      }),
    },
    {
      name: 'no-csrf-cookie',
      does: 'sends the login form of one browser from another, without the cookie',
      risk: 'an attacker’s form logs the person in as the attacker (login CSRF)',
      change: request => ({ ...request, headers: withoutHeader(request.headers, 'cookie') }),
    },
  ],
)

function needsDemand({ essentialAcr, flow, pushed, requestObject }: Situation): string | undefined {
  if (flow !== undefined && flow.grants.at(-1) !== 'code') return 'the flow is about another grant'
  if (pushed) return 'nobody in the browser can change a pushed request'
  if (requestObject !== undefined) return 'nobody in the browser can change a request object'
  if (essentialAcr) return undefined
  const claims = '{"id_token":{"acr":{"essential":true,"value":"urn:oauth-lab:acr:mfa"}}}'
  return `the request demands no acr: --scope openid --claims '${claims}'`
}

/** Wrong moves about the login that a request asks for. The server sees an honest request, so the client has to notice. */
export const loginDemandMoves = authorizationTable({ codeOnly: true, until: 'keys_request' }, [
  {
    name: 'dropped-login-demand',
    does: 'takes the demand for a strong login out of the request (claims, acr_values, max_age)',
    risk: 'a password alone opens what the client guards by a second factor',
    rule: 'OpenID Connect Core §3.1.3.7',
    expects: [byClient('invalid_token')],
    notHere: needsDemand,
    change: pairs => without(pairs, 'claims', 'acr_values', 'max_age'),
  },
])

/** Wrong authorization requests, and wrong login forms. */
export const authorizationMoves: readonly (AuthorizationMove | LoginMove)[] = [
  ...requestMoves,
  ...redirectMoves,
  ...nonceMoves,
  ...pushMoves,
  ...userMoves,
  ...formMoves,
]
