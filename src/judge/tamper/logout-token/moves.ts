import type { JsonObject } from '../../../protocol/values.js'
import { hmacToken, selfSignedToken, unsignedToken } from '../forged-tokens.js'
import { STRANGER } from '../messages.js'
import type { LogoutTokenMove, Refusal } from '../move.js'
import type { ForgeryParts, LogoutTokenWords } from './parts.js'

const RULE = 'OpenID Connect Back-Channel Logout §2.6'

const refused: Refusal = { by: 'client', status: [400], errors: ['invalid_request'] }

type Forge = LogoutTokenMove['forge']

/** Changes the words of an honest token, which the issuer's own key signs then. */
const signedWith =
  (change: (claims: JsonObject) => JsonObject): Forge =>
  ({ honest, sign }: ForgeryParts) =>
    sign({ ...honest, claims: change(honest.claims) })

/** Changes an honest token after its signature. */
const resigned =
  (forge: (token: string, parts: ForgeryParts) => ReturnType<Forge> | Awaited<ReturnType<Forge>>): Forge =>
  async parts =>
    forge(await parts.sign(parts.honest), parts)

const without = (claims: JsonObject, name: string): JsonObject =>
  Object.fromEntries(Object.entries(claims).filter(([each]) => each !== name))

/** Seconds before now. */
const ago = ({ iat }: JsonObject, seconds: number): number => Number(iat) - seconds

const typed =
  (typ: string): Forge =>
  ({ honest, sign }: { honest: LogoutTokenWords; sign: ForgeryParts['sign'] }) =>
    sign({ ...honest, typ })

const move = (name: string, does: string, risk: string, forge: Forge): LogoutTokenMove => ({
  name,
  at: 'logout_token',
  does,
  risk,
  rule: RULE,
  expects: [refused],
  forge,
})

const CONFUSED = 'a token that was made for something else ends sessions'
const ANYONE = 'anyone who knows a username ends the sessions of that person'

/** Wrong logout tokens. Before each one, the relying party accepts one without a fault. */
export const logoutTokenMoves: readonly LogoutTokenMove[] = [
  move(
    'nonce-in-logout-token',
    'puts a nonce into a logout token',
    'the client takes an ID token for a logout token',
    signedWith(claims => ({ ...claims, nonce: 'n-0S6_WzA2Mj' })),
  ),
  move(
    'logout-token-without-event',
    'leaves the event out of a logout token',
    CONFUSED,
    signedWith(claims => without(claims, 'events')),
  ),
  move(
    'logout-token-of-other-event',
    'names another event in a logout token',
    CONFUSED,
    signedWith(claims => ({ ...claims, events: { [`https://${STRANGER}/event`]: {} } })),
  ),
  move(
    'logout-token-as-other-type',
    'gives a logout token the type of an access token',
    CONFUSED,
    typed('at+jwt'),
  ),
  move(
    'logout-token-without-subject',
    'names neither a person nor a session in a logout token',
    'a client ends the sessions of everybody',
    signedWith(claims => without(claims, 'sub')),
  ),
  move(
    'logout-token-of-other-issuer',
    'names another issuer in a logout token',
    'one issuer ends the sessions of another one',
    signedWith(claims => ({ ...claims, iss: `https://${STRANGER}` })),
  ),
  move(
    'logout-token-for-other-client',
    'names another client as the audience of a logout token',
    'a client that got a logout token ends the sessions at other clients',
    signedWith(claims => ({ ...claims, aud: STRANGER })),
  ),
  move(
    'expired-logout-token',
    'sends a logout token that has expired',
    'a token from a log ends sessions later',
    signedWith(claims => ({ ...claims, iat: ago(claims, 120), exp: ago(claims, 60) })),
  ),
  move(
    'old-logout-token',
    'sends a logout token that was issued an hour ago',
    'a token from a log ends sessions later',
    signedWith(claims => ({ ...claims, iat: ago(claims, 3600) })),
  ),
  move(
    'logout-token-without-id',
    'leaves jti out of a logout token',
    'a token from a log ends sessions again and again',
    signedWith(claims => without(claims, 'jti')),
  ),
  move(
    'replayed-logout-token',
    'sends a logout token a second time',
    'a token from a log ends sessions again and again',
    async ({ used }) => used,
  ),
  move(
    'unsigned-logout-token',
    'sends a logout token without a signature (alg none)',
    ANYONE,
    resigned(unsignedToken),
  ),
  move(
    'self-signed-logout-token',
    'signs a logout token with a key of its own',
    ANYONE,
    resigned(token => selfSignedToken(token)),
  ),
  move(
    'embedded-key-logout-token',
    'signs a logout token with a key of its own, which stands in the header',
    ANYONE,
    resigned(token => selfSignedToken(token, { embedded: true })),
  ),
  move(
    'hmac-logout-token',
    'signs a logout token with the public key of the issuer as a secret (HS256)',
    ANYONE,
    resigned(async (token, { keys }) => hmacToken(token, await keys())),
  ),
]
