import type { PlannedStep, Role, Step, StepName } from '../../flows/step.js'
import type { Steps, Walk } from '../../flows/walk.js'
import type { LabOptions } from '../../lab/model.js'
import type { ClientEntry } from '../../lab/schema/lab-file-schema.js'
import type { Exchange } from '../../protocol/http/exchange.js'
import type { HttpRequest, HttpResponse } from '../../protocol/http/message.js'
import type { Client } from '../../protocol/oauth/client.js'
import type { Citation, PlanRule } from '../../protocol/rules/rule.js'
import type { WeakName } from '../../protocol/rules/weak-modes.js'
import type { Account, Browser } from './browser.js'
import type { AttackName } from './names.js'

/** A check that can stop an attack, and the section that demands it. */
export interface Defence {
  /** The name of the check, such as `redirect_uri`. */
  readonly check: string
  readonly rule: Citation
}

/** The check that refused, as the server or the page reported it. */
export interface Refusal extends Defence {
  /** The description in the answer or in its event. */
  readonly detail: string
}

/** A person of an attack: a browser, and an account at the lab. */
export interface Person extends Browser {
  readonly account: Account
}

/** The attacker's own server. */
export interface AttackerSite {
  /** Base URL, no trailing slash. Its host is another one than that of the lab, so that no cookie of the lab is sent there. */
  readonly url: string
  /** Answers the requests to a path from now on. Other paths answer an empty page. */
  serve(path: string, answer: (request: HttpRequest) => HttpResponse | Promise<HttpResponse>): void
  /** The requests that came, oldest first. */
  readonly visits: readonly HttpRequest[]
}

/** The place where answers of the authorization server come to the attacker. */
export interface Catcher {
  /** The client in whose name the attacker asks. */
  readonly client: string
  /** The address that the answers go to. The attacker's server answers there. */
  readonly address: string
}

/** A server in the network of the lab, which has no login because only the lab reaches it. */
export interface InnerServer {
  /** The address of the victim's data there. Its name is known inside that network. */
  readonly url: string
  /** Returns the number of requests that it answered. */
  readonly hits: () => number
}

/** The world of an attack: a lab of this user, two people, and the attacker's server. */
export interface Scene {
  readonly urls: { readonly authorization: string; readonly resource: string; readonly client?: string }
  readonly victim: Person
  readonly attacker: Person
  /** Makes one more browser of the victim. */
  readonly anotherBrowser: () => Person
  readonly site: AttackerSite
  readonly catcher: Catcher
  /** A resource that the lab issues tokens for, whose server is the attacker's. */
  readonly foreignResource: string
  /** Absent for an attack that needs none. */
  readonly inner?: InnerServer | undefined
  /** Base URL of plain http that the attacker answers under the host of the lab, as somebody on the path can. */
  readonly pathUrl: string
  /** The address of the honest applications, on the loopback interface (RFC 8252 §7.3). */
  readonly callback: string
  readonly step: Walk['step']
  /** Returns the refusal of an exchange with the lab; undefined when it was not refused. */
  refusal(exchange: Exchange): Promise<Refusal | undefined>
  /** Returns `length` unpredictable bytes. */
  readonly random: (length: number) => Uint8Array
  /** Sets the clock of the lab forward, in milliseconds. Returns false for a lab whose clock is not ours. */
  readonly advance: (ms: number) => boolean
  readonly now: () => number
  /** The client with this name, as the lab has it registered. */
  client(id: string): Client
  /** The word that the victim writes down by herself where an attack needs it. The attacker does not read it. */
  readonly secret: string
  /** Returns a SAML assertion about the attacker, as the identity provider signs one for everybody who logs in there. */
  ownAssertion(recipient: string): Promise<string>
  /** Returns a grant about the victim, as the identity provider issues one to a client of the lab (ID-JAG). */
  victimsGrant(clientId: string): Promise<string>
}

/** The end of an attack: the answer of the lab whose refusal ends it, or a refusal by a page or a person. */
export type End = Exchange | Refusal | undefined

/** The parts of an attack that people read before it runs. */
export interface AttackData {
  /** Lower case with hyphens; people type it: `attack run NAME`. */
  readonly name: AttackName
  /** The attack in one clause. */
  readonly title: string
  /** The section that describes the attack. */
  readonly rule: Citation
  /** The weak modes of `--weak auto`: all of them are on. */
  readonly weak: readonly WeakName[]
  /** The modes that change the end alone: they open the attack, or another check refuses then. */
  readonly opened: Readonly<Partial<Record<WeakName, { readonly stolen?: true; readonly check?: string }>>>
  /** The knowledge and powers of the attacker at the start (RFC 9700 §3), one sentence each. */
  readonly starts: readonly string[]
  /** The data that the attacker is after. */
  readonly steals: string
  /** The defences that stop the attack. The first one is the one that `weak` switches off. */
  readonly defences: readonly [Defence, ...Defence[]]
  /** Defences that do not stop the attack, each with the reason. */
  readonly wouldNotHelp: readonly string[]
  /** The reason why nobody can play the victim in a real browser, in one clause. Left out: somebody can. */
  readonly noWindow?: string
  /** The way in which it plays at a lab that runs already, where it cannot register anything. */
  readonly running: RunningPart
  readonly plan: readonly PlannedStep[]
}

/** The part of an attack that is about running labs. */
export type RunningPart =
  | {
      /** Clients of the lab that take part. */
      readonly needs?: readonly string[]
      /** The client of the lab that takes the place of the one that the attack registers in a lab of its own. */
      readonly standIn?: string
      /** The path of the attacker's address. Left out: the one of native applications. */
      readonly answersAt?: string
      /** True when the identity provider of the lab signs for the attacker. */
      readonly ownIssuer?: true
    }
  | {
      /** The reason why it cannot, in one clause. */
      readonly never: string
    }

/** An attack: its data, and its steps. */
export interface Attack extends AttackData {
  /**
   * Clients that are registered before it starts.
   * @param site base URL of the attacker's server
   * @param client base URL of the demo client; empty without one
   */
  readonly clients?: (site: string, client: string) => readonly ClientEntry[]
  /** Authorization servers of the demo client beside that of the lab. @param site base URL of the attacker's server */
  readonly clientIssuers?: (site: string) => NonNullable<LabOptions['clientIssuers']>
  /** True when it needs the demo client. */
  readonly demoClient?: true
  /** True when the lab can reach a server that nobody else reaches. */
  readonly innerServer?: true
  /** True when answers over TLS are compressed. */
  readonly compression?: true
  /** Runs it. An attack without an end was refused by nobody. */
  run(scene: Scene): Steps<End>
}

/** The message of a step: who sends it, who receives it, a title, and its section. */
export type Lane = readonly [from: Role, to: Role, title: string, rfc: PlanRule]

/** The message of each step, where the attack does not name another one. */
const USUAL: Readonly<Partial<Record<StepName, Lane>>> = {
  honest_login: ['user_agent', 'authorization_server', 'GET /authorization', '6749 §4.1.1'],
  authorization_request: ['user_agent', 'authorization_server', 'GET /authorization', '6749 §4.1.1'],
  login: ['user_agent', 'authorization_server', 'POST /authorization', '6749 §4.1.1'],
  attacker_login: ['attacker', 'authorization_server', 'log in as the attacker', '6749 §4.1.1'],
  code_arrival: ['user_agent', 'attacker', 'GET /catch', '6749 §4.1.2'],
  token_request: ['attacker', 'authorization_server', 'POST /token', '6749 §4.1.3'],
  resource_request: ['attacker', 'resource_server', 'GET /records', '6750 §2.1'],
}

/** An attack as its file writes it. */
interface AttackEntry extends Omit<Attack, 'plan'> {
  /** The purpose of each step, in the order of the steps. */
  readonly story: Readonly<Partial<Record<StepName, string>>>
  /** The messages of the steps that differ from the usual ones. */
  readonly lanes?: Readonly<Partial<Record<StepName, Lane>>>
}

/** Makes an attack of its entry. */
export function attack({ story, lanes = {}, ...rest }: AttackEntry): Attack {
  const plan = Object.entries(story).map(([name, why]): PlannedStep => {
    const [from, to, title, rfc] = (lanes[name as StepName] ?? USUAL[name as StepName])!
    return { name: name as StepName, from, to, title, rfc, why }
  })
  return { ...rest, plan }
}

/** The end of an attack. Always the last line. */
export interface AttackOutcome {
  readonly type: 'outcome'
  /** `failed`: it ended before it was decided, such as by a time-out or an interruption. */
  readonly outcome: 'stolen' | 'defended' | 'failed'
  /** The check that refused; for `stolen`, the check that was missing. */
  readonly check: string
  readonly rule: Citation | ''
  /** The refusal, or the place where the data stood. */
  readonly detail: string
  readonly attack: AttackName
  /** The weak modes that were on. */
  readonly weak: readonly WeakName[]
  readonly would_not_help: readonly string[]
}

/** The items that an attack yields. */
export type AttackRecord = Step | AttackOutcome
