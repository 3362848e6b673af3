import type { KeptEvent } from '../lab/state/event-file.js'
import type { Citation } from '../protocol/rules/rule.js'
import type { ShownWeak, WeakName } from '../protocol/rules/weak-modes.js'
import type { StageName } from '../servers/authorization-server/stages/stages.js'

export type MisconceptionName =
  | 'oauth-is-login'
  | 'access-token-is-for-the-client'
  | 'jwt-is-encrypted'
  | 'signed-means-valid'
  | 'decode-is-verify'
  | 'state-is-pkce'
  | 'pkce-is-for-public-clients-only'
  | 'secret-in-the-app-is-secret'
  | 'https-is-enough'
  | 'redirect-prefix-is-fine'
  | 'scope-is-what-the-user-may'
  | 'consent-is-authentication'
  | 'refresh-tokens-live-for-ever'
  | 'logout-revokes-tokens'
  | 'bearer-is-bound'
  | 'email-is-identity'
  | 'cors-is-security'
  | '401-is-403'

export interface Evidence {
  /** Of the task's clients and user, in order. */
  readonly events: readonly KeptEvent[]
  /** Of other clients or users since the start of the lesson. */
  readonly others: readonly KeptEvent[]
  /** Events that count, and those of requests without client and user, in order. */
  readonly withAnonymous: readonly KeptEvent[]
  /** Happened before the task was shown: they may begin what ends afterwards. */
  readonly before: ReadonlySet<KeptEvent>
}

/** Base URLs of a lab, as texts name them. */
export interface Places {
  readonly lab: string
  readonly resource: string
  readonly cluster: string
  /** With the prefix `/client/v4`. */
  readonly dns: string
}

/** Facts beside the events. */
export interface Facts extends Places {
  readonly client: string
  readonly user: string
  /** Missing defences that the lab does not name. */
  readonly hidden?: readonly WeakName[]
  /** Typed with `learn check --answer`, oldest first. */
  readonly answers: readonly string[]
  /** Set where the task probes the learner's client and it was run. */
  readonly probe?: ProbeReport
}

export type Verdict =
  | { readonly done: true; readonly events: readonly KeptEvent[] }
  | {
      readonly done: false
      /** One sentence: what is missing, or what went wrong. */
      readonly why: string
      /** Behind the sentence. */
      readonly events: readonly KeptEvent[]
    }

/** Pure. */
export type Check = (evidence: Evidence, facts: Facts) => Verdict

/** The value that a member of an event must have. */
export type Matcher =
  | string
  | number
  | boolean
  /** A list or a text of tokens that holds this one. */
  | { readonly has: string }
  | { readonly not: string | number | boolean }
  | { readonly begins: string }
  | { readonly includes: string }

export interface Pattern {
  /** `type` of the event. */
  readonly event: string
  readonly where?: Readonly<Record<string, Matcher>>
  /** Events of requests without client and user count as well. */
  readonly anyone?: boolean
}

/** A wrong attempt that the lab recognizes. */
export interface Mistake extends Pattern {
  readonly why: string
  /** Said from the third time on. */
  readonly again: string
}

/** A wrong attempt of a test: the check must refuse it. */
export interface NearMiss {
  readonly name: string
  /** Of a POSIX shell. */
  readonly lines: readonly string[]
  /** The sentence of the check. */
  readonly why: string
}

export interface Hints {
  /** Leads there. */
  readonly question: string
  /** The step and the member that matter. */
  readonly place: string
  /** To type. */
  readonly line: string
}

export const PROBE_NAMES = [
  'state',
  'iss',
  'nonce',
  'at_hash',
  'mix-up',
  'access-token',
  'code',
  'redirect',
  'pkce',
  'one-use',
  'opaque',
  'secret',
  'scope',
  'audience',
  'rotation',
  'logout',
] as const

export type ProbeName = (typeof PROBE_NAMES)[number]

/** Of the learner's client, against a server that answers rightly or wrongly. */
export interface ProbeRun {
  /** Absent in a right run. */
  readonly wrong?: string
  /** The client did what only a right run deserves (`SENTENCES`). */
  readonly finished: boolean
  readonly expected: string
  readonly received: string
}

export interface ProbeReport {
  readonly probe: ProbeName
  readonly runs: readonly ProbeRun[]
  /** Why the client could not be run at all. */
  readonly failed?: string
}

export interface Task {
  /** Such as `password`. */
  readonly name: string
  readonly say: readonly string[]
  /** Of the lab; left out: that of the lesson. */
  readonly stage?: StageName
  /** Their events count; left out: the client of the lesson. */
  readonly clients?: readonly string[]
  /** Clients that introduced themselves count too: nobody knows their ids before. */
  readonly newcomers?: boolean
  readonly check: Check
  readonly mistakes: readonly Mistake[]
  readonly hints: Hints
  /** Runs the learner's own client; the check asks for the report. */
  readonly probe?: ProbeName
  readonly solutions: {
    /** With oauth-lab. */
    readonly cli: readonly string[]
    /** Of a POSIX shell. `$LAB`, `$RESOURCE` and `$CLUSTER` are base URLs, `$CA` is the path of the CA file. */
    readonly curl: readonly string[]
  }
  readonly nearMisses: readonly NearMiss[]
  /** True when the learner types an answer: wrong ones are counted. */
  readonly asks?: boolean
  /** The same task as one learner gets it. */
  readonly drawn?: (seed: number) => Task
}

export interface Option {
  readonly text: string
  /** Behind a wrong answer. */
  readonly misconception?: MisconceptionName | `own: ${string}`
  /** By which a wrong answer is wrong. */
  readonly rule?: Citation
  /** The task of the lesson whose run shows that. */
  readonly shown?: string
  /** Said when the lesson comes back to the prediction. */
  readonly reply: string
}

export interface Prediction {
  readonly question: string
  /** In the order of their letters: a, b, c. */
  readonly options: readonly Option[]
}

export interface Needs {
  readonly stage?: StageName
  readonly weak?: readonly ShownWeak[]
  /** The lab lacks two drawn defences that it does not name. */
  readonly hidden?: true
  /** One lab must live through several commands, because they change it. */
  readonly serve?: true
  readonly client: string
  readonly user: string
}

/** Texts may hold `{client}`, `{user}`, and the places of the lab: `{lab}`, `{resource}`, `{cluster}`, `{dns}`. */
export interface Lesson {
  /** `NN-name`. */
  readonly name: string
  /** True for a lesson of the program. */
  readonly builtIn?: true
  readonly title: string
  readonly minutes: number
  readonly after: readonly string[]
  readonly needs: Needs
  /** With prediction and task at most 18 lines of 76 characters. */
  readonly opening: readonly string[]
  readonly prediction: Prediction
  readonly tasks: readonly Task[]
  readonly explanation: readonly string[]
  readonly remember: readonly string[]
  /** Such as `RFC 6749 §4.1`. */
  readonly rule: Citation
  /** Switches this very defence off; the line of oauth-lab shows it. */
  readonly weak?: { readonly mode: WeakName; readonly line: string }
  readonly stretch: readonly string[]
}
