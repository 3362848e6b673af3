import type { Outcome, Step } from '../../flows/step.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { AuthorizationServerMetadata } from '../../protocol/oauth/metadata.js'
import type { Severity } from '../../protocol/rules/finding.js'
import type { Citation } from '../../protocol/rules/rule.js'
import type { ClientIdentity } from '../tamper/situation.js'
import { type Finding, type Group, type Judgement, notTried } from './finding.js'

/** Answers to demands on the login, in the session of the honest flow and without a page. */
export interface LoginDemandAnswers {
  /** The answer to max_age=0. */
  readonly oldLogin?: Exchange
  /** The answer to an essential acr that no server knows. Absent: the server does not announce the parameter claims. */
  readonly essentialAcr?: Exchange
}

/** An answer at a well-known address. */
export interface Document {
  readonly url: string
  readonly exchange: Exchange
  /** Its JSON object; absent for an answer that has none. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** The metadata and keys that a server publishes. */
export interface Publication {
  /** The issuer that was asked for. */
  readonly issuer: string
  /** OpenID Connect Discovery, then RFC 8414. */
  readonly documents: readonly Document[]
  /** The first document that can be read. */
  readonly members: Readonly<Record<string, unknown>>
  /** The metadata that a client can work with, without the members that break a rule. */
  readonly metadata: AuthorizationServerMetadata
  /** The answer at jwks_uri. */
  readonly keys?: Exchange
}

/** A code flow without any wrong move. */
export interface HonestFlow {
  readonly client: ClientIdentity
  readonly steps: readonly Step[]
  readonly outcome: Outcome
}

/** A page that was asked for with a value that must be escaped in HTML. */
export interface Reflection {
  readonly parameter: string
  readonly exchange: Exchange
}

/** The facts that an examination learned about a server, apart from the moves. */
export interface Facts {
  readonly publication: Publication
  readonly flow: HonestFlow
  /** An authorization request that came with an Origin header, as a foreign page would send it. */
  readonly foreignOrigin?: Exchange
  /** The answer to the question of a browser if a page of the client may send a token request (CORS preflight). */
  readonly tokenPreflight?: Exchange
  /** The answer to a public client that the person never allowed, in the session of the honest flow. */
  readonly strangerInSession?: Exchange
  /** The answers to demands on the login, in that session. Absent: the session answers nothing without a page. */
  readonly loginDemands?: LoginDemandAnswers
  /** A state with every character that a state may have, and the address at which the browser landed. */
  readonly oddState?: { readonly sent: string; readonly landed: string }
  /** The answers to an honest access token, by the kind of place where it was shown. */
  readonly taken: ReadonlyMap<'userinfo' | 'resource', Exchange>
  /** Pages of the authorization endpoint that were asked for with values that must be escaped. */
  readonly reflections: readonly Reflection[]
  /** Answers to wrong moves, by name, as they are made. */
  readonly answers: ReadonlyMap<string, Exchange>
}

/** One rule, and the judgement of the facts by it. */
export interface DoctorCheck<Subject> {
  readonly group: Group
  readonly name: string
  readonly title: string
  readonly rule: Citation
  /** The weight of the rule. Default: a fault. */
  readonly severity?: Severity
  readonly judge: (subject: Subject) => Judgement
}

/** The statement of a check, without its judgement. */
export type Stated = Omit<DoctorCheck<never>, 'judge'>

/** Makes a table of checks of one group. A row may state another group. */
export function inGroup<Subject>(
  group: Group,
  rows: readonly (Omit<DoctorCheck<Subject>, 'group'> & { readonly group?: Group })[],
): readonly DoctorCheck<Subject>[] {
  return rows.map(row => ({ group, ...row }))
}

/** A finding of a judgement: a fault has the weight of its rule. */
export function findingOf(
  { group, name, title, rule, severity = 'fault' }: Stated,
  { result, detail }: Judgement,
): Finding {
  return { group, name, title, rule, result: result === 'fault' ? severity : result, detail }
}

/** Judges a subject by every check of a table. */
export function findings<Subject>(checks: readonly DoctorCheck<Subject>[], subject: Subject): Finding[] {
  return checks.map(check => findingOf(check, check.judge(subject)))
}

/** The last exchange of the honest flow's step of that name. */
export function exchangeOf({ flow }: Facts, name: Step['name']): Exchange | undefined {
  return flow.steps.findLast(step => step.name === name && step.exchange)?.exchange
}

/** Judges the exchange of a request that applies to every server; without one nothing was tried. */
export function onTried(
  exchange: Exchange | undefined,
  why: string,
  judge: (response: NonNullable<Exchange['response']>, exchange: Exchange) => Judgement,
): Judgement {
  return exchange?.response ? judge(exchange.response, exchange) : notTried(why)
}

/** True when the person logged in with their own browser, whose messages nobody saw. */
export function loggedInByHand({ steps }: HonestFlow): boolean {
  return steps.some(({ name, exchange }) => name === 'login' && exchange === undefined)
}
