/** The verifiers that the doctor knows. */
export const VERIFIERS = ['api', 'vault', 'aws', 'gcp'] as const

/** A verifier by its short name. */
export type Verifier = (typeof VERIFIERS)[number]

/** The result of one check. */
export interface Checked {
  /** `look` is no fault, but depends on something that this program cannot see. */
  readonly result: 'pass' | 'fault' | 'look' | 'not_applicable'
  /** The reason. It may hold text of the token or of a server. */
  readonly detail: string
  /** The command that helps, word by word. */
  readonly fix?: readonly string[]
}

/** One line of the report. */
export interface Finding extends Checked {
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** The document that demands it. */
  readonly rule: string
}

export const pass = (detail: string): Checked => ({ result: 'pass', detail })
export const remark = (detail: string): Checked => ({ result: 'look', detail })
export const notApplicable = (detail: string): Checked => ({ result: 'not_applicable', detail })
export const fault = (detail: string, fix?: readonly string[]): Checked => ({
  result: 'fault',
  detail,
  ...(fix && { fix }),
})
