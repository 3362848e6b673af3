/** The progress in one capstone. Times are ISO 8601 UTC. */
export interface CapstoneProgress {
  readonly seed: number
  readonly startedAt: string
  readonly doneAt?: string
  /** Absolute path of the file that was written for the learner. */
  readonly file?: string
  /** Keys of the things that were named rightly. */
  readonly found: readonly string[]
  /** Wrong answers, each once. */
  readonly falseAlarms: readonly string[]
  /** Runs of the learner's client that did not pass. */
  readonly failedChecks: number
}
