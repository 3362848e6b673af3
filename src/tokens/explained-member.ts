/** A claim or header member with its meaning. */
export interface ExplainedMember {
  readonly name: string
  readonly value: unknown
  readonly meaning: string
  /** The time of a NumericDate in ISO 8601 UTC, in the unit that the token seems to use. */
  readonly time?: string
  /** True for a member of the previous member's value. */
  readonly inner?: true
}
