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

/** Adds the time of a date claim to its member. `unit` is the number of units in a second. */
export function withTime(member: ExplainedMember, unit: 1 | 1000): ExplainedMember {
  if (typeof member.value !== 'number') return member
  const date = new Date((member.value / unit) * 1000)
  return Number.isNaN(date.getTime()) ? member : { ...member, time: date.toISOString() }
}
