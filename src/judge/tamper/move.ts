import type { DocumentLie } from '../../flows/ports.js'
import type { AssertionWords } from '../../flows/requests/assertion-source.js'
import type { ObjectDraft } from '../../flows/requests/object-draft.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { FormPairs } from '../../protocol/http/form.js'
import type { HttpRequest } from '../../protocol/http/message.js'
import type { MacCredentials } from '../../protocol/oauth/mac.js'
import type { TokenResponse } from '../../protocol/oauth/token.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { DpopKey } from '../../protocol/tokens/dpop.js'
import type { JwkSet } from '../../protocol/tokens/keys.js'
import type { JsonObject } from '../../protocol/values.js'
import { asClient, type TokenMessage } from './messages.js'
import type { AnswerPart, Grant } from './shape.js'
import type { Situation } from './situation.js'

/** How a refusal arrives. `client`: the client refuses a changed answer. `question`: the server asks the person first. */
export type Channel = 'page' | 'question' | 'redirect' | 'token' | 'resource' | 'client'

/** A refusal that a rule asks for. */
export interface Refusal {
  readonly by: Channel
  /** Absent: 400 or 401 from an endpoint, any 4xx for a page. */
  readonly status?: readonly number[]
  /** Codes of the error; the first is the rule's own one. None: the code does not matter. */
  readonly errors: readonly string[]
}

/** An error page, with any code. */
export const page: Refusal = { by: 'page', errors: [] }

/** An error that goes to the client, because its address is good. */
export const byRedirect = (...errors: string[]): Refusal => ({ by: 'redirect', errors })

/** An error of the token endpoint, or of another one that answers like it. */
export const atEndpoint = (...errors: string[]): Refusal => ({ by: 'token', errors })

/** An answer 401 of a resource server. */
export const atResource = (...errors: string[]): Refusal => ({ by: 'resource', status: [401], errors })

/** The refusal of an answer by the client. */
export const byClient = (...errors: string[]): Refusal => ({ by: 'client', errors })

/**
 * A fact that a move needs, and that may be unknown here. Without it the rule still applies to the server, but is not
 * tried.
 */
export type Need = 'other' | 'publicClient' | 'credentials' | 'secondUser' | 'responseTypes' | 'advance'

/** The reason why a message of a move cannot be made. */
export interface NotMade {
  readonly problem: string
}

/** A changed message, or the reason why it cannot be made. */
export type Made<Message> = Message | NotMade | Promise<Message | NotMade>

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
  readonly change: (pairs: FormPairs, facts: AnswerFacts) => Made<FormPairs>
  /** True for a move of an answer that comes as a JWT (JARM). Other moves change answers that come plain. */
  readonly jwt?: true
  /** The parts that the answer must hold. The client may then notice as late as it verifies the tokens of the answer. */
  readonly holds?: readonly AnswerPart[]
}

/** The limits in the answers before a token request. */
export interface Limits {
  /** The scope that the last answer granted. */
  readonly scope?: string
  /** How long the device code, the auth_req_id or the request_uri of the last answer lives, in milliseconds. */
  readonly statedLifetime?: number
}

/** A changed token request. */
export interface TokenMove extends Stated {
  readonly at: 'token_request'
  /** The grants whose token requests the move changes. Absent: all grants. */
  readonly grants?: readonly Grant[]
  readonly change: (message: TokenMessage, situation: Situation, limits: Limits) => Made<TokenMessage>
  /** Changes the honest authorization request before, which must leave out what the move names. */
  readonly authorize?: (pairs: FormPairs) => FormPairs
  /** The honest request is sent first. `same`: then the same bytes again, proofs included. */
  readonly again?: 'anew' | 'same'
  /** Why the second request would prove nothing, from the answer to the first. */
  readonly notAgain?: (request: HttpRequest, first: Exchange, situation: Situation) => string | undefined
  /** A scope that the server may also leave out instead of refusing the request (RFC 6749 §3.3). */
  readonly forbids?: (situation: Situation, limits: Limits) => string
}

/** A changed backchannel authentication request (OpenID Connect CIBA Core §7.1). */
export interface BackchannelMove extends Stated {
  readonly at: 'backchannel_authentication_request'
  readonly change: (message: TokenMessage, client: { readonly clientId: string }) => TokenMessage
}

/** An assertion that says something else than it should. */
export interface AssertionMove extends Stated {
  readonly at: 'assertion'
  readonly change: (words: AssertionWords) => AssertionWords
}

/** The values that an access token can be forged from. */
export interface Presentable {
  readonly endpoint: string
  readonly tokens: Pick<TokenResponse, 'access_token' | 'id_token'>
  readonly keys?: JwkSet
  /** The clock of the client, in milliseconds since the epoch. */
  readonly now: () => number
  /** The nonce that the server wants in a proof (RFC 9449 §9), once it asked for it. */
  readonly nonce?: string
  /** The key of a token of type `mac`. */
  readonly mac?: MacCredentials
  /** The key that the token is bound to. */
  readonly dpop?: DpopKey
}

/** An access token that is shown where it must not be taken. */
export interface PresentationMove extends Stated {
  readonly at: 'userinfo_request'
  readonly present: (what: Presentable) => Made<HttpRequest>
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
  readonly change: (pairs: FormPairs, situation: Situation) => Made<FormPairs>
  /** True where the server must ask the person before it ends the session. Else nobody may be sent back. */
  readonly mustAsk?: true
}

/** A changed return from a logout: the user agent tampers, and the client has to notice. */
export interface LogoutReturnMove extends Stated {
  readonly at: 'logout_response'
  readonly change: (pairs: FormPairs) => FormPairs
}

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
  readonly keys: AnswerFacts['keys']
}

/** A forged logout token, which the relying party has to refuse (OpenID Connect Back-Channel Logout §2.6). */
export interface LogoutTokenMove extends Stated {
  readonly at: 'logout_token'
  readonly forge: (parts: ForgeryParts) => Made<string>
}

/** A changed answer of a server to the client, which has to notice. */
export interface LieMove extends Stated {
  readonly at: 'resource_metadata_request' | 'discovery_request' | 'tools_request'
  /** Returns the changed answer; undefined for an answer that the lie is not about. */
  readonly lie: (exchange: Exchange) => Exchange['response']
}

/** A changed registration request (RFC 7591 §3.1). */
export interface RegistrationMove extends Stated {
  readonly at: 'client_registration'
  readonly register: (members: JsonObject) => JsonObject | Promise<JsonObject>
  /** True when the answer holds the wrong value. A server may also leave the value out (RFC 7591 §3.2.1). */
  readonly kept: (answer: JsonObject) => boolean
}

/** A named wrong move. */
export type Move =
  | AuthorizationMove
  | LoginMove
  | AnswerMove
  | TokenMove
  | BackchannelMove
  | AssertionMove
  | PresentationMove
  | LogoutMove
  | LogoutReturnMove
  | LogoutTokenMove
  | LieMove
  | RegistrationMove

/** The point in which a move lets the document of the client be wrong; undefined for a move without a document. */
export function documentLieOf(move: Move): DocumentLie | undefined {
  return move.at === 'authorization_request' ? move.document : undefined
}

/** A row of a table of moves: the members that the table does not state for all of its rows. */
type Row<M extends Move, Shared> = Omit<M, keyof Shared | 'at' | 'rule'> &
  Partial<Omit<Pick<M, keyof Shared & keyof M>, 'rule'>> &
  (Shared extends Pick<M, 'rule'> ? Partial<Pick<M, 'rule'>> : Pick<M, 'rule'>)

/** Makes the function that makes tables of moves of one message. A row may state a shared member otherwise. */
const tableOf =
  <M extends Move>(at: M['at']) =>
  <Shared extends Partial<M>>(shared: Shared, rows: readonly Row<M, Shared>[]): readonly M[] =>
    rows.map(row => ({ at, ...shared, ...row }) as object as M)

export const authorizationTable = tableOf<AuthorizationMove>('authorization_request')
export const loginTable = tableOf<LoginMove>('login')
export const answerTable = tableOf<AnswerMove>('authorization_response')
export const backchannelTable = tableOf<BackchannelMove>('backchannel_authentication_request')
export const assertionTable = tableOf<AssertionMove>('assertion')
export const presentationTable = tableOf<PresentationMove>('userinfo_request')
export const logoutTable = tableOf<LogoutMove>('logout_request')
export const logoutTokenTable = tableOf<LogoutTokenMove>('logout_token')
export const registrationTable = tableOf<RegistrationMove>('client_registration')

/** A row of a table of token requests. One that changes nothing is wrong by its time, or because it comes again. */
type TokenRow = Pick<TokenMove, 'name' | 'does' | 'risk' | 'rule'> &
  Partial<Omit<TokenMove, 'rule'>> & {
    /** Changes the parameters, in place of `change`. */
    readonly pairs?: (pairs: FormPairs, situation: Situation, limits: Limits) => FormPairs
    /** The client in whose name the request is sent, where one is known. */
    readonly as?: 'other' | 'publicClient'
  }

/** Makes a table of wrong token requests. */
export function tokenTable(
  shared: Pick<TokenMove, 'expects'> & Partial<Omit<TokenMove, 'rule'>>,
  rows: readonly TokenRow[],
): readonly TokenMove[] {
  return rows.map(({ pairs, as, ...row }): TokenMove => {
    const change: TokenMove['change'] = (message, situation, limits) => {
      const client = as && situation[as]
      if (client) return asClient(message, client)
      return pairs ? { ...message, pairs: pairs(message.pairs, situation, limits) } : message
    }
    return { at: 'token_request', change, ...(as && { needs: as }), ...shared, ...row }
  })
}
