import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { codeGrant } from './code-grant.js'
import { STRICT_SESSION_PLACE } from './cookie-session.js'
import type { Grant } from './grant.js'
import type { Issuer } from './issuer.js'
import type { Login, Logins } from './logins.js'
import type { Person } from './person.js'
import { localAddress } from './return-address.js'
import type { Random, SessionPlace } from './session-place.js'

/** Makes a value of a request; undefined: the request has none. */
export type MakeValue = (random: Random) => string | undefined

/** An authorization response, before anything in it was checked. */
export interface Answer {
  readonly state: string | undefined
  /** The secret in the browser's cookie. */
  readonly browser: string | undefined
  readonly logins: Logins
  /** Makes a login at the issuer whose address received the answer, although this client did not start one. */
  readonly unasked: () => Promise<Login>
}

/** Query parameters of a request that starts a login. */
export interface ReturnQuery {
  readonly returnTo: string | undefined
  /** The query of the request, byte for byte. */
  readonly query: string
}

/**
 * The checks of the demo client that a weak mode can replace. The client calls them and knows no weak mode: the lab that
 * makes a weak client hands in other functions.
 */
export interface Defences {
  /** Ties an answer to the login that this browser started (RFC 6749 §10.12). */
  readonly state: MakeValue
  /** Ties a code to this client's request (RFC 7636 §4.1). */
  readonly codeVerifier: MakeValue
  /** Ties an ID token to this client's request (OpenID Connect Core §3.1.3.7). */
  readonly nonce: MakeValue
  /** Returns the login that an answer belongs to. @throws OAuthError `state_mismatch` */
  readonly loginOf: (answer: Answer) => Login | Promise<Login>
  /** Returns the request that an answer from `iss` is compared with (RFC 9207 §2.4). */
  readonly expected: (request: AuthorizationRequest, iss: string | undefined) => AuthorizationRequest
  /** Returns the path that receives the answers of an issuer: another one for each (RFC 9700 §4.4.2.2). */
  readonly redirectPath: (at: Issuer, first: Issuer) => string
  /** Learns who logged in (RFC 6749 §10.16). */
  readonly grant: Grant
  /** Returns the account of a person, unique among all issuers (OpenID Connect Core §5.7). */
  readonly account: (person: Person) => string
  /** Returns the address that a login leads back to (RFC 9700 §4.11.1). @throws RequestRefusal */
  readonly returnTo: (asked: ReturnQuery) => string
  /** Keeps the session out of addresses (RFC 9700 §4.3.2). */
  readonly place: SessionPlace
}

const randomValue: MakeValue = random => Buffer.from(random(32)).toString('base64url')

/** The defences that the RFCs demand. */
export const STRICT: Defences = {
  state: randomValue,
  codeVerifier: randomValue,
  nonce: randomValue,
  loginOf: ({ state, browser, logins }) => logins.take(state, browser),
  expected: request => request,
  redirectPath: (at, first) => (at === first ? '/callback' : `/callback/${at.key}`),
  grant: codeGrant,
  account: ({ issuer, subject }) => JSON.stringify([issuer, subject]),
  returnTo: ({ returnTo = '/notes' }) => localAddress(returnTo),
  place: STRICT_SESSION_PLACE,
}
