import type { DocumentLie } from '../../flows/ports.js'
import type { AssertionWords } from '../../flows/requests/assertion-source.js'
import type { ObjectDraft } from '../../flows/requests/object-draft.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { FormPairs } from '../../protocol/http/form.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { ClientSecretPlace } from '../../protocol/oauth/token.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { ClientKey } from '../../protocol/tokens/client-assertion.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import type { RequestObjectKind } from '../../protocol/tokens/request-object.js'
import type { WrongBackchannelRequest } from './backchannel-parts.js'
import type { ForgedLogoutToken } from './logout-token/parts.js'
import type { Lie, WrongRegistration } from './mcp/parts.js'
import type { Presentable } from './presentable.js'
import type { Refusal } from './refusal.js'
import type { Seen } from './seen.js'
import type { AnswerPart, FlowShape, Grant } from './shape.js'
import type { TokenMessage } from './token-message.js'

export type { Channel, Refusal } from './refusal.js'

/** A client with its secret, as a request names it. */
export interface ClientIdentity {
  readonly clientId: string
  readonly clientSecret?: string
  readonly auth: ClientSecretPlace
  /** The proof of a client that sends no secret: a signature (`private_key_jwt`), or its certificate (RFC 8705 §2). */
  readonly proof?: 'key' | 'certificate'
}

/** The circumstances that moves depend on. */
export interface Situation {
  /** The flow that the move is made in; absent: the code grant. */
  readonly flow?: FlowShape
  readonly client: ClientIdentity
  /** The key that signs the assertions of the client, for moves that sign for somebody else. */
  readonly key?: ClientKey
  /** The issuer of the server under test. */
  readonly issuer?: string
  /** True when tokens are bound to a key of the client (RFC 9449). */
  readonly bound?: boolean
  /** That key, for proofs that are wrong in one point. */
  readonly dpop?: DpopKey
  /** True when the client is registered for bound tokens alone (RFC 9449 §5.2). */
  readonly boundClient?: boolean
  /** Set when the client shows a certificate (RFC 8705): `authenticates` where the certificate proves the client. */
  readonly certificate?: 'shown' | 'authenticates'
  /** True when the authorization request is pushed beforehand (RFC 9126). */
  readonly pushed?: boolean
  /** The request object that the authorization request is sent as (RFC 9101); absent: a plain request. */
  readonly requestObject?: RequestObjectKind
  /** True when the server takes pushed requests alone, of all clients or of this one (RFC 9126 §5, §6). */
  readonly pushRequired?: boolean
  /** True when the server requires signed request objects, of all clients or of this one. */
  readonly signedObjects?: boolean
  /** True when the person uses a browser of their own, whose messages nobody changes. */
  readonly ownBrowser?: boolean
  /** True when the authorization response comes as a JWT (JARM). */
  readonly responseJwt?: boolean
  /** True when access tokens are of type `mac`. */
  readonly mac?: boolean
  /** Scope values that the server knows, as it announces. */
  readonly knownScopes?: readonly string[]
  /** A public client of the same server. */
  readonly publicClient?: ClientIdentity
  /** Another client of the same server. */
  readonly other?: ClientIdentity
  readonly redirectUri: string
  /** The address that the browser returns to after a logout, where one is registered. */
  readonly logoutReturn?: string
  /** True when a relying party with the keys of its issuer is ours: the demo client of a lab. */
  readonly relyingParty?: boolean
  /** The user who logs in, when known. */
  readonly credentials?: { readonly username: string; readonly password: string }
  /** The name of another user, who can log in too. */
  readonly secondUser?: string
  /** An ID token about the second user, for the moves that need one. */
  readonly secondIdToken?: string
  readonly pkce: boolean
  /** PKCE methods that the server announces. */
  readonly challengeMethods: readonly string[]
  /** True when the server promises `iss` in its answers (RFC 9207 §3). */
  readonly issPromised: boolean
  /** The resources that the server announces (RFC 9728 §4); absent where it announces none. */
  readonly knownResources?: readonly string[]
  /** Types of authorization details that the server announces (RFC 9396 §10). */
  readonly detailTypes?: readonly string[]
  /** True when the request demands an authentication context class (OpenID Connect Core §5.5.1.1). */
  readonly essentialAcr?: boolean
  /** The response types that the client may use; absent when its registration is not known. */
  readonly responseTypes?: readonly string[]
  /** The endpoint that an access token is presented to; absent without one. */
  readonly presentAt?: string
  /** True when `presentAt` is a resource server, and so must check the audience. */
  readonly resourceServer: boolean
  /** Sets the server's clock forward, in milliseconds; absent where the clock is not ours. */
  readonly advance?: (ms: number) => void
  /** The clock of the client, in milliseconds since the epoch. Default: the clock of the machine. */
  readonly now?: () => number
  /** True when the server announces client ID metadata documents. */
  readonly documents?: boolean
  /** Returns true once somebody asked for the document of the client. Absent: the client has none. */
  readonly documentAsked?: () => boolean
  /** The access token that the flow got. */
  readonly issued?: string
  /** Lifetimes of the server, in milliseconds, where they are known. */
  readonly lifetimes?: { readonly code: number; readonly accessToken: number; readonly refreshToken?: number }
}

/**
 * A fact that a move needs, and that may be unknown here. Without it the rule still applies to the server, but is not
 * tried.
 */
export type Need = 'other' | 'publicClient' | 'credentials' | 'secondUser' | 'responseTypes' | 'advance'

/** The members that every move states. */
interface Stated {
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** The effect of the move, such as `redeems the code a second time`. */
  readonly does: string
  /** The gain of an attacker if the server accepted the move. */
  readonly risk: string
  /** The refusals that are good; the first is the usual one. */
  readonly expects: readonly [Refusal, ...Refusal[]]
  /** The rule, such as `RFC 6749 §4.1.2`. */
  readonly rule: Citation
  /** Without it the move cannot be made. A `wait` also needs `advance`. */
  readonly needs?: Need
  /** Why the move does not apply here; undefined where it does. */
  readonly notHere?: (situation: Situation) => string | undefined
  /** Why a server that accepts the move harms nobody here; undefined where it does. */
  readonly harmless?: (situation: Situation) => string | undefined
  /** True for a rule of strict servers alone: another server that accepts the move breaks no rule. */
  readonly optional?: true
  /** True for a rule that binds public clients alone. */
  readonly publicOnly?: true
  /** Wait until this has expired, by the server's clock. */
  readonly wait?: 'code' | 'accessToken' | 'refreshToken' | 'deviceCode' | 'authReqId' | 'requestUri'
  /** Further parameters of both requests. */
  readonly ask?: FormPairs
  /** The only flow whose messages the move can change. */
  readonly only?: 'mcp'
}

/** Changes the authorization request that the user agent carries. */
export interface AuthorizationMove extends Stated {
  readonly at: 'authorization_request'
  /** @param pushed the parameters that were pushed before, for a move `afterPush` */
  readonly change: (pairs: FormPairs, situation: Situation, pushed: FormPairs) => FormPairs
  /**
   * The step at which the move must be refused at the latest: the server is asked to redeem the code, or the client
   * verifies the id_token.
   */
  readonly until?: 'token_request' | 'keys_request'
  /** True for a move that makes sense only with response_type code. */
  readonly codeOnly?: true
  /** The part that the answer must bring through the browser for the rule to apply. */
  readonly brings?: AnswerPart
  /** It changes what the browser carries after the request was pushed. */
  readonly afterPush?: true
  /** A second person logs in by the same address before. */
  readonly usedBefore?: true
  /** The request object that the move is about. `signed`: also one that is encrypted then. */
  readonly needsObject?: 'signed' | 'any'
  /** Makes the request object, in place of the client. Absent: `change` changes the parameters in the object. */
  readonly object?: (draft: ObjectDraft, situation: Situation) => Promise<string>
  /** Changes the parameters beside the request object. Absent: `change` does. */
  readonly beside?: (pairs: FormPairs, situation: Situation) => FormPairs
  /** The same request was sent once before, by another browser. */
  readonly sentBefore?: true
  /** Why a server that goes on keeps the rule. */
  readonly mayIgnore?: string
  /** A scope that the server may also leave out instead of refusing the request (RFC 6749 §3.3). */
  readonly forbiddenScope?: string
  /** The document of the client, which the server reads before it answers. */
  readonly document?: DocumentLie
}

/** A changed login form. */
export interface LoginMove extends Stated {
  readonly at: 'login'
  /** @param asked the address of the authorization request */
  readonly change: (request: HttpRequest, situation: Situation, asked: string) => HttpRequest
}

/** The facts that a changed answer can be made of. */
export interface AnswerFacts {
  readonly situation: Situation
  /** Fetches the published keys of the server; undefined where there are none. */
  readonly keys: () => Promise<JwkSet | undefined>
}

/** A changed answer: the user agent tampers, and the client has to notice. */
export interface AnswerMove extends Stated {
  readonly at: 'authorization_response'
  /** The changed answer, or the reason why it cannot be made. */
  readonly change: (
    pairs: FormPairs,
    facts: AnswerFacts,
  ) => FormPairs | NotMade | Promise<FormPairs | NotMade>
  /** True for a move of an answer that comes as a JWT (JARM). Other moves change answers that come plain. */
  readonly jwt?: true
  /** The parts that the answer must hold. The client may then notice as late as it verifies the tokens of the answer. */
  readonly holds?: readonly AnswerPart[]
}

/** A changed token request. */
export interface TokenMove extends Stated {
  readonly at: 'token_request'
  /** The grants whose token requests the move changes. Absent: all grants. */
  readonly grants?: readonly Grant[]
  readonly change: (
    message: TokenMessage,
    situation: Situation,
    seen: Seen,
  ) => TokenMessage | NotMade | Promise<TokenMessage | NotMade>
  /** Changes the honest authorization request before, which must leave out what the move names. */
  readonly authorize?: (pairs: FormPairs) => FormPairs
  /** The honest request is sent first. `same`: then the same bytes again, proofs included. */
  readonly again?: 'anew' | 'same'
  /** Why the second request would prove nothing, from the answer to the first. */
  readonly notAgain?: (request: HttpRequest, first: Exchange, situation: Situation) => string | undefined
  /** A scope that the server may also leave out instead of refusing the request (RFC 6749 §3.3). */
  readonly forbids?: (situation: Situation, seen: Seen) => string
}

/** An assertion that says something else than it should. */
export interface AssertionMove extends Stated {
  readonly at: 'assertion'
  readonly change: (words: AssertionWords) => AssertionWords
}

/** The reason why a message of a move cannot be made. */
export interface NotMade {
  readonly problem: string
}

/** An access token that is shown where it must not be taken. */
export interface PresentationMove extends Stated {
  readonly at: 'userinfo_request'
  /** The request, or the reason why it cannot be made of these tokens. */
  readonly present: (what: Presentable) => HttpRequest | NotMade | Promise<HttpRequest | NotMade>
  /** The type of access token that it is about; absent: Bearer, bound to a key or not. */
  readonly type?: 'mac' | 'dpop'
  /** It needs an id_token to show. */
  readonly idToken?: true
  /** Parameters that both requests for the token leave out. */
  readonly leavesOut?: readonly string[]
  /** `bare`: without the proof that the client would add. `twice`: sent honestly, then the same bytes again. */
  readonly how?: 'bare' | 'twice'
}

/** A changed logout request, which the user agent carries (OpenID Connect RP-Initiated Logout §2). */
export interface LogoutMove extends Stated {
  readonly at: 'logout_request'
  readonly change: (pairs: FormPairs, situation: Situation) => ReturnType<AnswerMove['change']>
  /** True where the server must ask the person before it ends the session. Else nobody may be sent back. */
  readonly mustAsk?: true
}

/** A changed return from a logout: the user agent tampers, and the client has to notice. */
export interface LogoutReturnMove extends Stated {
  readonly at: 'logout_response'
  readonly change: (pairs: FormPairs) => FormPairs
}

/** A forged logout token, which the relying party has to refuse (OpenID Connect Back-Channel Logout §2.6). */
export type LogoutTokenMove = Stated & ForgedLogoutToken

/** A changed answer of a server to the client, which has to notice. */
export type LieMove = Stated & Lie

/** A changed registration request (RFC 7591 §3.1). */
export type RegistrationMove = Stated & WrongRegistration

/** A named wrong move. */
export type Move =
  | AuthorizationMove
  | LoginMove
  | AnswerMove
  | TokenMove
  | (Stated & WrongBackchannelRequest)
  | AssertionMove
  | PresentationMove
  | LogoutMove
  | LogoutReturnMove
  | LogoutTokenMove
  | LieMove
  | RegistrationMove

/** True for a public client (RFC 6749 §2.1). */
export function isPublic({ auth, proof }: ClientIdentity): boolean {
  return auth === 'none' && proof === undefined
}
