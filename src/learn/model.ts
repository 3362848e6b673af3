import type { KeptEvent } from '../lab/state/event-file.js'
import type { Citation } from '../protocol/rules/rule.js'
import type { ShownWeak, WeakName } from '../protocol/rules/weak-modes.js'
import type { StageName } from '../servers/authorization-server/stages/stages.js'

/** The wrong beliefs that lessons, probes and attacks answer. */
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

/** The events that a check may use. */
export interface Evidence {
  /** Events of the task's clients and user, in the order in which they happened. */
  readonly events: readonly KeptEvent[]
  /** Events of other clients or users since the start of the lesson. */
  readonly others: readonly KeptEvent[]
  /** Events that count, and those of requests that name neither a client nor a user, in their order. */
  readonly withAnonymous: readonly KeptEvent[]
}

/** Everything beside the events that a check may use. */
export interface Facts {
  readonly client: string
  readonly user: string
  /** Base URL of the lab, for texts. */
  readonly lab: string
  /** The defences that the lab of the lesson lacks and does not name. */
  readonly hidden?: readonly WeakName[]
  /** Answers typed with `learn check --answer`, oldest first. */
  readonly answers: readonly string[]
  /** The report on the learner's client, where the task probes it and it was run. */
  readonly probe?: ProbeReport
}

/** The verdict on a task. */
export type Verdict =
  | { readonly done: true; readonly events: readonly KeptEvent[] }
  | {
      readonly done: false
      /** One sentence: what is missing, or what went wrong. */
      readonly why: string
      /** The events behind the sentence. */
      readonly events: readonly KeptEvent[]
    }

/** A pure function from what happened to a verdict. */
export type Check = (evidence: Evidence, facts: Facts) => Verdict

/** The value that a member of an event must have. */
export type Matcher =
  | string
  | number
  | boolean
  /** A list, or a text of tokens with spaces between them, that holds this one. */
  | { readonly has: string }
  | { readonly not: string | number | boolean }
  | { readonly begins: string }
  | { readonly includes: string }

/** A description of events. */
export interface Pattern {
  /** `type` of the event. */
  readonly event: string
  readonly where?: Readonly<Record<string, Matcher>>
  /** True when events of requests without client and user count as well. */
  readonly anyone?: boolean
}

/** A wrong attempt that the lab recognizes. */
export interface Mistake extends Pattern {
  readonly why: string
  /** Said from the third time on. */
  readonly again: string
}

/** A wrong attempt that a test makes, to prove that the check refuses it. */
export interface NearMiss {
  readonly name: string
  /** Lines of a POSIX shell. */
  readonly lines: readonly string[]
  /** The sentence that the check must answer with. */
  readonly why: string
}

/** Hints, in the order in which they are given. */
export interface Hints {
  /** A question that leads there. */
  readonly question: string
  /** The step and the member that matter. */
  readonly place: string
  /** The line to type. */
  readonly line: string
}

/** The probes of clients, by the value or the attack that a client must notice. */
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

/** The name of a probe. */
export type ProbeName = (typeof PROBE_NAMES)[number]

/** One run of the learner's client against a server that answers rightly or wrongly. */
export interface ProbeRun {
  /** The wrong answer; absent in a right run. */
  readonly wrong?: string
  /** True when the client did what only a right run deserves: `SENTENCES` names it for each probe. */
  readonly finished: boolean
  readonly expected: string
  readonly received: string
}

/** The result of a probe. */
export interface ProbeReport {
  readonly probe: ProbeName
  readonly runs: readonly ProbeRun[]
  /** The reason why the client could not be run at all. */
  readonly failed?: string
}

/** One thing to do. */
export interface Task {
  /** A short name, such as `password`. */
  readonly name: string
  readonly say: readonly string[]
  /** The stage of the lab for this task; left out: that of the lesson. */
  readonly stage?: StageName
  /** Clients whose events count; left out: the client of the lesson. */
  readonly clients?: readonly string[]
  /** True when clients that introduced themselves count too: nobody knows their ids before. */
  readonly newcomers?: boolean
  readonly check: Check
  readonly mistakes: readonly Mistake[]
  readonly hints: Hints
  /** The probe of the learner's own client; the check of the task asks for its report. */
  readonly probe?: ProbeName
  readonly solutions: {
    /** Lines with oauth-lab. */
    readonly cli: readonly string[]
    /** Lines of a POSIX shell with curl. `$LAB`, `$RESOURCE` and `$CLUSTER` are base URLs, `$CA` is the path of the CA file. */
    readonly curl: readonly string[]
  }
  readonly nearMisses: readonly NearMiss[]
}

/** One answer of a prediction. */
export interface Option {
  readonly text: string
  /** The belief behind a wrong answer; absent for the right one. */
  readonly misconception?: MisconceptionName | `own: ${string}`
  /** Said when the lesson comes back to the prediction. */
  readonly reply: string
}

/** A question about what is going to happen. */
export interface Prediction {
  readonly question: string
  /** In the order of their letters: a, b, c. */
  readonly options: readonly Option[]
}

/** The lab that a lesson needs. */
export interface Needs {
  readonly stage?: StageName
  readonly weak?: readonly ShownWeak[]
  /** True when the lab lacks two defences that a seed draws, and that it does not name. */
  readonly hidden?: true
  /** True when one lab must live through several commands, because they change it. */
  readonly serve?: true
  readonly client: string
  readonly user: string
}

/** A lesson: data and checks. Texts may hold `{client}`, `{user}` and `{lab}`. */
export interface Lesson {
  /** `NN-name`. */
  readonly name: string
  readonly title: string
  readonly minutes: number
  /** Names of lessons that come before. */
  readonly after: readonly string[]
  readonly needs: Needs
  /** Read before the first thing to do: at most 18 lines of 76 characters together with the prediction and the task. */
  readonly opening: readonly string[]
  readonly prediction: Prediction
  readonly tasks: readonly Task[]
  readonly explanation: readonly string[]
  readonly remember: readonly string[]
  /** The rule, such as `RFC 6749 §4.1`. */
  readonly rule: Citation
  /** The weak mode that switches this very defence off, and the line of oauth-lab that shows it. */
  readonly weak?: { readonly mode: WeakName; readonly line: string }
  readonly stretch: readonly string[]
}
