import { parsedUrl } from '../../protocol/http/address.js'
import { cookie, type HeaderList, type HttpRequest, splitUrl } from '../../protocol/http/message.js'
import type { AuthorizationRequest } from '../../protocol/oauth/authorization-request.js'
import { codeGrant, type Grant, type Person } from './code-grant.js'
import { RequestRefusal } from './forms.js'
import type { Login, Logins } from './sessions.js'
import type { DemoClientSettings, Issuer } from './settings.js'

/** Returns `length` unpredictable bytes. */
type Random = (length: number) => Uint8Array

/** The place of a session's id in requests. */
export interface SessionPlace {
  /** Returns the id in a request. @throws OAuthError for a request with a secret in its address */
  readonly idIn: (request: HttpRequest) => string | undefined
  readonly newId: (person: Person, random: Random) => string
  /** Returns an address of this site, for a person with this session. */
  readonly carry: (address: string, id: string) => string
  /** Returns the headers that give a browser the id. */
  readonly give: (id: string) => HeaderList
  /** Returns the headers that take the id from a browser. */
  readonly take: () => HeaderList
}

/** Makes a value of a request; undefined: the request has none. */
export type MakeValue = (random: Random) => string | undefined

/** An authorization response, before anything in it was checked. */
interface Answer {
  readonly state: string | undefined
  /** The secret in the browser's cookie. */
  readonly browser: string | undefined
  readonly logins: Logins
  /** Makes a login at the issuer whose address received the answer, although this client did not start one. */
  readonly unasked: () => Promise<Login>
}

/** Query parameters of a request that starts a login. */
interface ReturnQuery {
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

/** Longest address to return to, in characters. */
const MAX_LENGTH = 500

/** The origin stands for this site, whatever its real address is. */
const HERE = 'https://here.invalid'

/**
 * Returns an address on this site: a path with an optional query. Browsers read `//evil.example` and `/\evil.example` as
 * addresses of other sites, and drop tabs and line ends.
 * @throws RequestRefusal for any other address (RFC 9700 §4.11.1)
 */
export function localAddress(text: string): string {
  const plain = /^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text) && text.length <= MAX_LENGTH
  const url = plain ? parsedUrl(text, HERE) : undefined
  if (url?.origin === HERE && !url.pathname.startsWith('//')) return url.pathname + url.search
  throw new RequestRefusal(400, 'return_to is not a path of this site', 'RFC 9700 §4.11.1')
}

const COOKIE_NAME = '__Host-demo-web-session'

/** Lax: the way back from the authorization server is a visit from another site. */
const ATTRIBUTES = 'Path=/; Secure; HttpOnly; SameSite=Lax'

/** The settings of a demo client, and its checks. */
export type DefendedSettings = DemoClientSettings & { readonly defences: Defences }

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
  /** The id of a session is in a cookie that no script reads and no other host sets (RFC 6265bis §4.1.3.2). */
  place: {
    idIn(request) {
      if (/(?:^|&)access_token=/.test(splitUrl(request.url).query)) {
        throw new RequestRefusal(400, 'an access token stands in the address', 'RFC 9700 §4.3.2')
      }
      return cookie(request, COOKIE_NAME)
    },
    newId: (_, random) => Buffer.from(random(32)).toString('base64url'),
    carry: address => address,
    give: id => [['set-cookie', `${COOKIE_NAME}=${id}; ${ATTRIBUTES}`]],
    take: () => [['set-cookie', `${COOKIE_NAME}=; ${ATTRIBUTES}; Max-Age=0`]],
  },
}
