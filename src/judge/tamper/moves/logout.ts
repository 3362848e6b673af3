import type { JsonObject } from '../../../protocol/values.js'
import { hmacToken, selfSignedToken, unsignedToken, withForged } from '../forged-tokens.js'
import { altered, STRANGER, valueIn, without, withValue } from '../messages.js'
import {
  type ForgeryParts,
  type LogoutMove,
  type LogoutReturnMove,
  type LogoutTokenMove,
  logoutTable,
  logoutTokenTable,
  type Made,
  page,
} from '../move.js'
import type { Situation } from '../situation.js'

const RULE = 'OpenID Connect RP-Initiated Logout §2'
const RETURN_RULE = 'OpenID Connect RP-Initiated Logout §3'

const refused = { by: 'page', errors: ['invalid_request'] } as const
const asked = { by: 'question', errors: [] } as const

const noReturn = ({ logoutReturn }: Situation): string | undefined =>
  logoutReturn === undefined
    ? 'no registered post_logout_redirect_uri is known: --post-logout-redirect-uri URI'
    : undefined

/** Replaces the ID token of a logout request. */
const hinted =
  (forge: (token: string) => Made<string>): LogoutMove['change'] =>
  pairs =>
    valueIn(pairs, 'id_token_hint') === ''
      ? { problem: 'the client has no id_token' }
      : withForged(pairs, 'id_token_hint', forge)

const returnMoves = logoutTable({ expects: [refused, page] }, [
  {
    name: 'unregistered-logout-return',
    does: 'names an address in post_logout_redirect_uri that is not registered',
    risk: 'a link to the server leads people to a page of an attacker (open redirect)',
    rule: RETURN_RULE,
    change: pairs => withValue(pairs, 'post_logout_redirect_uri', () => `https://${STRANGER}/logged-out`),
  },
  {
    name: 'logout-without-client',
    does: 'asks for a return after the logout, and names neither the client nor an ID token',
    risk: 'addresses of all clients together are good for the link of an attacker',
    rule: RETURN_RULE,
    notHere: noReturn,
    change: pairs => without(pairs, 'id_token_hint', 'client_id'),
  },
  {
    name: 'logout-as-other-client',
    does: 'names another client in client_id than the one of the ID token',
    risk: 'a client uses an ID token of another one, which it found in a log',
    rule: RULE,
    needs: 'other',
    notHere: noReturn,
    change: (pairs, { other }) => withValue(pairs, 'client_id', () => other?.clientId ?? ''),
  },
])

const hintMoves = logoutTable({ mustAsk: true, rule: RULE }, [
  {
    name: 'logout-without-hint',
    does: 'asks for a logout without an ID token, as any page of the web can',
    risk: 'any page logs people out, without a question',
    expects: [asked, page],
    change: pairs => without(pairs, 'id_token_hint'),
  },
  {
    name: 'foreign-logout-hint',
    does: 'signs the ID token in id_token_hint with a key of its own',
    risk: 'anyone who knows a username logs that person out, without a question',
    expects: [refused, asked, page],
    change: hinted(token => selfSignedToken(token)),
  },
  {
    name: 'unsigned-logout-hint',
    does: 'sends the ID token in id_token_hint without a signature (alg none)',
    risk: 'anyone who knows a username logs that person out, without a question',
    expects: [refused, asked, page],
    change: hinted(unsignedToken),
  },
  {
    name: 'other-user-logout-hint',
    does: 'sends an ID token about another user than the one who is logged in',
    risk: 'one user logs another one out, without a question',
    expects: [asked, page],
    needs: 'secondUser',
    change: (pairs, { secondIdToken }) =>
      secondIdToken === undefined ? pairs : withValue(pairs, 'id_token_hint', () => secondIdToken),
  },
])

/** Wrong logout requests, and a wrong return (OpenID Connect RP-Initiated Logout). */
export const logoutMoves: readonly (LogoutMove | LogoutReturnMove)[] = [
  ...returnMoves,
  ...hintMoves,
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

type Forge = LogoutTokenMove['forge']

/** Changes the claims of an honest token, which the issuer's own key signs then. */
const claiming =
  (change: (claims: JsonObject) => JsonObject): Forge =>
  ({ honest, sign }) =>
    sign({ ...honest, claims: change(honest.claims) })

/** Changes an honest token after its signature. */
const resigned =
  (forge: (token: string, parts: ForgeryParts) => Made<string>): Forge =>
  async parts =>
    forge(await parts.sign(parts.honest), parts)

/** Leaves a claim out. */
const lacking = (name: string): Forge =>
  claiming(claims => Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name)))

/** Seconds before now. */
const ago = ({ iat }: JsonObject, seconds: number): number => Number(iat) - seconds

const CONFUSED = 'a token that was made for something else ends sessions'
const LATER = 'a token from a log ends sessions later'
const AGAIN = 'a token from a log ends sessions again and again'
const ANYONE = 'anyone who knows a username ends the sessions of that person'

/** Wrong logout tokens. Before each one, the relying party accepts one without a fault. */
export const logoutTokenMoves = logoutTokenTable(
  {
    rule: 'OpenID Connect Back-Channel Logout §2.6',
    expects: [{ by: 'client', status: [400], errors: ['invalid_request'] }],
  },
  [
    {
      name: 'nonce-in-logout-token',
      does: 'puts a nonce into a logout token',
      risk: 'the client takes an ID token for a logout token',
      forge: claiming(claims => ({ ...claims, nonce: 'n-0S6_WzA2Mj' })),
    },
    {
      name: 'logout-token-without-event',
      does: 'leaves the event out of a logout token',
      risk: CONFUSED,
      forge: lacking('events'),
    },
    {
      name: 'logout-token-of-other-event',
      does: 'names another event in a logout token',
      risk: CONFUSED,
      forge: claiming(claims => ({ ...claims, events: { [`https://${STRANGER}/event`]: {} } })),
    },
    {
      name: 'logout-token-as-other-type',
      does: 'gives a logout token the type of an access token',
      risk: CONFUSED,
      forge: ({ honest, sign }) => sign({ ...honest, typ: 'at+jwt' }),
    },
    {
      name: 'logout-token-without-subject',
      does: 'names neither a person nor a session in a logout token',
      risk: 'a client ends the sessions of everybody',
      forge: lacking('sub'),
    },
    {
      name: 'logout-token-of-other-issuer',
      does: 'names another issuer in a logout token',
      risk: 'one issuer ends the sessions of another one',
      forge: claiming(claims => ({ ...claims, iss: `https://${STRANGER}` })),
    },
    {
      name: 'logout-token-for-other-client',
      does: 'names another client as the audience of a logout token',
      risk: 'a client that got a logout token ends the sessions at other clients',
      forge: claiming(claims => ({ ...claims, aud: STRANGER })),
    },
    {
      name: 'expired-logout-token',
      does: 'sends a logout token that has expired',
      risk: LATER,
      forge: claiming(claims => ({ ...claims, iat: ago(claims, 120), exp: ago(claims, 60) })),
    },
    {
      name: 'old-logout-token',
      does: 'sends a logout token that was issued an hour ago',
      risk: LATER,
      forge: claiming(claims => ({ ...claims, iat: ago(claims, 3600) })),
    },
    {
      name: 'logout-token-without-id',
      does: 'leaves jti out of a logout token',
      risk: AGAIN,
      forge: lacking('jti'),
    },
    {
      name: 'replayed-logout-token',
      does: 'sends a logout token a second time',
      risk: AGAIN,
      forge: ({ used }) => used,
    },
    {
      name: 'unsigned-logout-token',
      does: 'sends a logout token without a signature (alg none)',
      risk: ANYONE,
      forge: resigned(unsignedToken),
    },
    {
      name: 'self-signed-logout-token',
      does: 'signs a logout token with a key of its own',
      risk: ANYONE,
      forge: resigned(token => selfSignedToken(token)),
    },
    {
      name: 'embedded-key-logout-token',
      does: 'signs a logout token with a key of its own, which stands in the header',
      risk: ANYONE,
      forge: resigned(token => selfSignedToken(token, { embedded: true })),
    },
    {
      name: 'hmac-logout-token',
      does: 'signs a logout token with the public key of the issuer as a secret (HS256)',
      risk: ANYONE,
      forge: resigned(async (token, { keys }) => hmacToken(token, await keys())),
    },
  ],
)
