import type { Exchange } from '../../../protocol/http/exchange.js'
import type { JwkSet } from '../../../protocol/tokens/keys.js'
import type { JsonObject } from '../../../protocol/values.js'

/** The event of a logout token (OpenID Connect Back-Channel Logout §2.4). */
export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout'

/** A logout token before its signature. */
export interface LogoutTokenWords {
  readonly typ: string
  readonly claims: JsonObject
}

/** The parts that a wrong logout token is made of. */
export interface ForgeryParts {
  /** A token without a fault, with an id of its own. */
  readonly honest: LogoutTokenWords
  /** A token without a fault that the relying party accepted before. */
  readonly used: string
  /** Signs as the issuer does, with its own key. */
  readonly sign: (words: LogoutTokenWords) => Promise<string>
  /** Fetches the published keys of the issuer; undefined where there are none. */
  readonly keys: () => Promise<JwkSet | undefined>
}

/** The part of a wrong move that makes a logout token, or says why none can be made. */
export interface ForgedLogoutToken {
  readonly at: 'logout_token'
  readonly forge: (parts: ForgeryParts) => Promise<string | { readonly problem: string }>
}

/** A visit of the browser on its way into the relying party. */
export interface PartyVisit {
  readonly name: 'relying_party_login' | 'login_form' | 'login' | 'relying_party_session'
  readonly exchange: Exchange
  readonly note?: string
  /** True when the same visit follows again. */
  readonly repeats?: true
}

/** A relying party that people log in to, whose issuer is ours: a wrong logout token can bear the right signature. */
export interface RelyingParty {
  readonly clientId: string
  readonly issuer: string
  /** The `sub` by which it knows the person. */
  readonly subject: string
  /** Logs a person in, as a browser does. Yields each visit when it happens. @throws OAuthError */
  logIn(): AsyncGenerator<PartyVisit, void, void>
  /** Opens a page that needs a session there. */
  openPage(): Promise<Exchange>
  /** Posts a logout token to its back-channel address (OpenID Connect Back-Channel Logout §2.5). */
  post(token: string): Promise<Exchange>
  sign(words: LogoutTokenWords): Promise<string>
}
