import type { AskLogin } from '../../../client/login.js'
import type { Gate } from '../../../flows/middleware/gate.js'
import type { FlowRecord, PlannedStep, Step, StepName } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'

/**
 * Begins a flow. `say` shows a person one line while the flow waits, such as the URL to open; `gate` is asked before
 * every request.
 */
export type StartFlow = (
  ask: AskLogin,
  signal: AbortSignal,
  say: (text: string) => void,
  gate: Gate,
) => AsyncGenerator<FlowRecord>

/** A named wrong move that can be chosen on the screen. */
export interface WrongMove {
  readonly name: string
  /** The effect of the move, such as `redeems the code a second time`. */
  readonly does: string
  /** The gain of an attacker if it were not refused. */
  readonly risk: string
  readonly rule: string
  /** The refusal that the rule asks for, for people. */
  readonly expects: string
  /** The step whose message is changed. */
  readonly at: StepName
  /** Why it cannot be made here; absent where it can. */
  readonly off?: string
}

/** The wrong moves of a flow, and how a run with one of them begins. */
export interface WrongMoves {
  readonly moves: readonly WrongMove[]
  /** @throws UsageError where the move cannot be made after all */
  begin(name: string): { readonly plan: readonly PlannedStep[]; readonly start: StartFlow }
}

/** The forms in which a run can be kept. */
export type KeepFormat = 'curl' | 'har' | 'mermaid' | 'markdown' | 'jsonl' | 'raw'

/** The content to keep. */
export interface Kept {
  readonly records: readonly FlowRecord[]
  /** The selected step, for the forms of one exchange. */
  readonly step: Step
  readonly showSecrets: boolean
}

/** Something that is offered, or why it is not, in a sentence. */
export type Offer<What> = { readonly offer: What } | { readonly why: string }

/** The functions of the screen beside stepping through the flow. */
export interface FlowOffers {
  /** The events of the lab's servers; returns the function that ends the subscription. */
  readonly server: Offer<(listener: (event: LabEvent) => void) => () => void>
  /** True where the servers are in another program: nobody says which of its requests are those of the flow. */
  readonly elsewhere?: true
  /** The lab's clock: sets it forward, and says how far it is ahead, in milliseconds. */
  readonly clock: Offer<{ readonly advance: (ms: number) => void; readonly ahead: () => number }>
  readonly tamper: Offer<WrongMoves>
  /** True when requests pass the gate of the screen. */
  readonly gate: Offer<true>
  /** Writes a run to a file of about this name. @returns the name it got; rejects where it cannot be written */
  readonly keep: Offer<(name: string, format: KeepFormat, what: Kept) => Promise<string>>
  /** Writes what was copied, for terminals that keep no clipboard. @returns the name of the file */
  readonly keepCopy: Offer<(text: string) => Promise<string>>
}

const nothing = { why: 'this is a recording' } as const

/** The offers of a recording. */
export const NO_OFFERS: FlowOffers = {
  server: { why: 'What the servers decided was not recorded.' },
  clock: nothing,
  tamper: nothing,
  gate: nothing,
  keep: nothing,
  keepCopy: nothing,
}
