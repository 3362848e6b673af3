/** One check that a side made, and its result. */
export interface Check {
  /** snake_case and stable: `state`, `iss`, `signature`, `aud`, `exp`, … */
  readonly name: string
  readonly ok: boolean
  /** The rule behind it, such as `RFC 6749 §10.12`. */
  readonly rule: string
  /** The observed value, for a person. */
  readonly detail?: string
  /** Pointed out only: where it is not ok, the other side departs from a rule that this side can live without. */
  readonly advice?: true
}

/**
 * A member of somebody else's JSON as text. Objects are not written out: one may have a `toString` of its own.
 */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** A check. */
export function check(name: string, ok: boolean, rule: string, detail?: string): Check {
  return detail === undefined ? { name, ok, rule } : { name, ok, rule, detail }
}

/** A check whose failure is pointed out, and ends nothing. */
export function advice(name: string, ok: boolean, rule: string, detail: string): Check {
  return ok ? { name, ok, rule, detail } : { name, ok, rule, detail, advice: true }
}

/** True for a failed check that is more than advice. */
export function isBreach({ ok, advice: pointedOut }: Check): boolean {
  return !ok && !pointedOut
}
