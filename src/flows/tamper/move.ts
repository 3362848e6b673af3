import type { FormPairs } from '../../http/form.js'
import type { HeaderList, HttpRequest } from '../../http/message.js'
import type { ClientSecretPlace, TokenResponse } from '../../oauth/token.js'
import type { JwkSet } from '../../tokens/keys.js'

/** How a refusal arrives. `client`: this side's own client refuses, since somebody tampered with the answer. */
export type Channel = 'page' | 'redirect' | 'token' | 'resource' | 'client'

/** A refusal that a rule asks for. */
export interface Refusal {
  readonly by: Channel
  /** Absent: 400 or 401 from an endpoint, any 4xx for a page. */
  readonly status?: readonly number[]
  /** Codes of the error; the first is the rule's own one. None: the code does not matter. */
  readonly errors: readonly string[]
}

/** A client with its secret, as a request names it. */
export interface ClientIdentity {
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
}

/** What moves depend on. */
export interface Situation {
  readonly client: ClientIdentity
  /** Another client of the same server. */
  readonly other?: ClientIdentity
  readonly redirectUri: string
  /** Who logs in, where that is known. */
  readonly credentials?: { readonly username: string; readonly password: string }
  readonly pkce: boolean
  /** PKCE methods that the server announces. */
  readonly challengeMethods: readonly string[]
  /** Whether the server promises `iss` in its answers (RFC 9207 §3). */
  readonly issPromised: boolean
  /** What the client may ask for; absent where its registration is not known. */
  readonly responseTypes?: readonly string[]
  /** Where an access token is shown; absent where there is no such place. */
  readonly presentAt?: string
  /** Whether `presentAt` is a resource server, and so must look at the audience. */
  readonly resourceServer: boolean
  /** Sets the server's clock forward, in milliseconds; absent where the clock is not ours. */
  readonly advance?: (ms: number) => void
  /** Lifetimes of the server, in milliseconds, where they are known. */
  readonly lifetimes?: { readonly code: number; readonly accessToken: number }
}

/** A token request on its way, its form taken apart. */
export interface TokenMessage {
  readonly method: string
  readonly url: string
  readonly headers: HeaderList
  readonly pairs: FormPairs
}

/** What an access token can be forged from. */
export interface Presentable {
  readonly endpoint: string
  readonly tokens: Pick<TokenResponse, 'access_token' | 'id_token'>
  readonly keys?: JwkSet
}

/** What every move states. */
interface Stated {
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** What the move does, such as `redeems the code a second time`. */
  readonly does: string
  /** What somebody would gain if it were not refused. */
  readonly risk: string
  /** The refusals that are good; the first is the usual one. */
  readonly expects: readonly [Refusal, ...Refusal[]]
  /** The rule, such as `RFC 6749 §4.1.2`. */
  readonly rule: string
  /** Why the move cannot be made here; undefined where it can. */
  readonly notHere?: (situation: Situation) => string | undefined
  /** Wait until this has expired, by the server's clock. */
  readonly wait?: 'code' | 'accessToken'
  /** Further parameters of both requests. */
  readonly ask?: FormPairs
}

/** A changed authorization request; the user agent carries it. */
export interface AuthorizationMove extends Stated {
  readonly at: 'authorization_request'
  readonly change: (pairs: FormPairs, situation: Situation) => FormPairs
  /** Where the refusal may still come: the code is redeemed first. */
  readonly until?: 'token_request'
  /** A scope that the server may also leave out instead of refusing the request (RFC 6749 §3.3). */
  readonly forbiddenScope?: string
}

/** A changed login form. */
export interface LoginMove extends Stated {
  readonly at: 'login'
  readonly change: (request: HttpRequest, situation: Situation) => HttpRequest
}

/** A changed answer: the user agent tampers, and the client has to notice. */
export interface AnswerMove extends Stated {
  readonly at: 'authorization_response'
  readonly change: (pairs: FormPairs) => FormPairs
}

/** A changed token request. */
export interface TokenMove extends Stated {
  readonly at: 'token_request'
  readonly change: (message: TokenMessage, situation: Situation) => TokenMessage
  /** Whether the honest request goes first. */
  readonly again?: true
}

/** An access token that is shown where it must not be taken. */
export interface PresentationMove extends Stated {
  readonly at: 'userinfo_request'
  /** The request; or, as text, why it cannot be made of these tokens. */
  readonly present: (what: Presentable) => HttpRequest | string | Promise<HttpRequest | string>
}

/** A named wrong move. */
export type Move = AuthorizationMove | LoginMove | AnswerMove | TokenMove | PresentationMove

/** Whether a client is public (RFC 6749 §2.1). */
export function isPublic({ auth }: ClientIdentity): boolean {
  return auth === 'none'
}
