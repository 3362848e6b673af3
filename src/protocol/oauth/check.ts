import type { Citation } from '../rules/rule.js'

/** One check of a message or token, and its result. */
export interface Check {
  /** snake_case and stable: `state`, `iss`, `signature`, `aud`, `exp`, … */
  readonly name: string
  readonly ok: boolean
  /** The rule behind it, such as `RFC 6749 §10.12`. */
  readonly rule: Citation
  /** The observed value, for people. */
  readonly detail?: string
  /** True for a check whose failure is only reported, because this side can work without the broken rule. */
  readonly advice?: true
}

/**
 * Describes a value of foreign JSON. Objects are not converted to text, because they may have their own `toString`.
 */
export function shown(value: unknown): string {
  if (value === undefined) return 'missing'
  if (typeof value !== 'object' || value === null) return String(value)
  return Array.isArray(value) ? 'an array' : 'an object'
}

/** The reason why an issuer was not checked, for the detail of a check. */
export const NO_ISSUER = 'no issuer is known to compare it with'

/** Makes a check. */
export function check(name: string, ok: boolean, rule: Citation, detail?: string): Check {
  return detail === undefined ? { name, ok, rule } : { name, ok, rule, detail }
}

/** Makes a check whose failure is reported but refuses nothing. */
export function advice(name: string, ok: boolean, rule: Citation, detail: string): Check {
  return ok ? { name, ok, rule, detail } : { name, ok, rule, detail, advice: true }
}

/**
 * Returns the first failed check. Another issuer has other keys, so the detail of a failed signature also names a failed issuer.
 * @param fails what counts as failed; default: also advice
 */
export function firstFailed(
  checks: readonly Check[],
  fails: (each: Check) => boolean = each => !each.ok,
): Check | undefined {
  const first = checks.find(fails)
  const issuer =
    first?.name === 'signature' ? checks.find(each => each.name === 'iss' && fails(each)) : undefined
  if (first === undefined || issuer?.detail === undefined) return first
  return { ...first, detail: `${first.detail ?? 'wrong'}; the token is of another issuer: ${issuer.detail}` }
}

/** True for a failed check that is not only advice. */
export function isBreach({ ok, advice: pointedOut }: Check): boolean {
  return !ok && !pointedOut
}
