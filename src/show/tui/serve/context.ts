import type { Signs } from '../../render/text/signs.js'

/** The values that the dashboard draws with, beside its state. */
export interface DrawContext {
  /** The lab's time, milliseconds since the epoch. */
  readonly now: number
  readonly signs: Signs
}
