import type { FlowRecord, Step } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { WrongMoves } from './tampering.js'

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

const nothing = { why: 'this screen has nothing to do it with' } as const

/** A screen that only shows. */
export const NO_OFFERS: FlowOffers = {
  server: { why: 'What the servers decided was not recorded.' },
  clock: nothing,
  tamper: nothing,
  gate: nothing,
  keep: nothing,
  keepCopy: nothing,
}
