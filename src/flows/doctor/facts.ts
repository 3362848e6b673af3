import type { Exchange } from '../../http/exchange.js'
import type { AuthorizationServerMetadata } from '../../oauth/metadata.js'
import type { Outcome, Step } from '../step.js'
import type { ClientIdentity } from '../tamper/move.js'
import { type Finding, type Found, type Group, notApplicable } from './finding.js'

/** An answer at a well-known address. */
export interface Document {
  readonly url: string
  readonly exchange: Exchange
  /** The JSON object in it; absent where it is none. */
  readonly members?: Readonly<Record<string, unknown>>
}

/** What was published. */
export interface Publication {
  /** The issuer that was asked for. */
  readonly issuer: string
  /** OpenID Connect Discovery, then RFC 8414. */
  readonly documents: readonly Document[]
  /** The first document that can be read. */
  readonly members: Readonly<Record<string, unknown>>
  /** What a client can work with; members that break a rule are left out. */
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

/** What was seen of a server beside the moves. */
export interface Facts {
  readonly publication: Publication
  readonly flow: HonestFlow
  /** An authorization request that came with an Origin header, as a foreign page would send it. */
  readonly foreignOrigin?: Exchange
  /** The state that was sent with every character a state may have, and where the browser landed. */
  readonly oddState?: { readonly sent: string; readonly landed: string }
  /** What an honest access token was answered with, by the kind of place where it was shown. */
  readonly taken: ReadonlyMap<'userinfo' | 'resource', Exchange>
  /** Answers to wrong moves, by name, as they are made. */
  readonly answers: ReadonlyMap<string, Exchange>
}

/** One rule and how it is looked at. */
export interface Look<Seen> {
  readonly group: Group
  readonly name: string
  readonly title: string
  readonly rule: string
  readonly look: (seen: Seen) => Found
}

/** Looks at what was seen by every rule of a table. */
export function findings<Seen>(looks: readonly Look<Seen>[], seen: Seen): Finding[] {
  return looks.map(({ group, name, title, rule, look }) => ({ group, name, title, rule, ...look(seen) }))
}

/** The last exchange of the honest flow's step of that name. */
export function exchangeOf({ flow }: Facts, name: Step['name']): Exchange | undefined {
  return flow.steps.findLast(step => step.name === name && step.exchange)?.exchange
}

/** Looks at an exchange, where there is one. */
export function onExchange(
  exchange: Exchange | undefined,
  why: string,
  look: (response: NonNullable<Exchange['response']>) => Found,
): Found {
  return exchange?.response ? look(exchange.response) : notApplicable(why)
}
