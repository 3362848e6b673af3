/** The programs that may verify a token. */
export const VERIFIERS = ['api', 'vault', 'aws', 'gcp'] as const

/** A verifier by its short name. */
export type Verifier = (typeof VERIFIERS)[number]

/** The result for one demand of a verifier. */
export interface Found {
  /** `look`: no fault, but it depends on something that cannot be seen from here. */
  readonly result: 'pass' | 'fault' | 'look' | 'not_applicable'
  /** The observed value. It may hold text of the token or of a server. */
  readonly detail: string
  /** The command that helps, as words. */
  readonly fix?: readonly string[]
}

/** One line of the report. */
export interface Finding extends Found {
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** The document that states the demand. */
  readonly rule: string
}

export const pass = (detail: string): Found => ({ result: 'pass', detail })
export const look = (detail: string): Found => ({ result: 'look', detail })
export const notApplicable = (detail: string): Found => ({ result: 'not_applicable', detail })
export const fault = (detail: string, fix?: readonly string[]): Found => ({
  result: 'fault',
  detail,
  ...(fix && { fix }),
})
