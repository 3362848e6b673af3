/** A claim or header member with what it means. */
export interface ExplainedMember {
  readonly name: string
  readonly value: unknown
  readonly meaning: string
  /** For NumericDates: the moment in ISO 8601, read in the unit the token seems to use. */
  readonly time?: string
  /** Set for a member of the member before it. */
  readonly inner?: true
}
