/** The forms of an explanation, beside text and JSON. */
export const EXPLAIN_FORMATS = ['mermaid', 'markdown'] as const

/** Flags of `explain`. */
export interface ExplainFlags {
  readonly export?: (typeof EXPLAIN_FORMATS)[number]
  readonly output?: string
  readonly redact?: true
}
