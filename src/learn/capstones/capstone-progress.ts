/** Times are ISO 8601 UTC. */
export interface CapstoneProgress {
  readonly seed: number
  readonly startedAt: string
  readonly doneAt?: string
  /** Absolute path of the learner's file. */
  readonly file?: string
  readonly found: readonly string[]
  /** Each once. */
  readonly falseAlarms: readonly string[]
  readonly failedChecks: number
}
