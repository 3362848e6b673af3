/** Who is to accept a token. */
export const VERIFIERS = ['api', 'vault', 'aws', 'gcp'] as const

/** A verifier by its short name. */
export type Verifier = (typeof VERIFIERS)[number]

/** What was found about one demand of a verifier. */
export interface Found {
  /** `look`: no fault, but it depends on something that cannot be seen from here. */
  readonly result: 'pass' | 'fault' | 'look' | 'not_applicable'
  /** What was seen. May hold text of the token or of a server. */
  readonly detail: string
  /** The command that helps, as words. */
  readonly fix?: readonly string[]
}

/** One line of the report. */
export interface Finding extends Found {
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** Where the demand is written. */
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
