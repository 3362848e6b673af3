/** Where a finding belongs, in the order of the report. */
export const GROUPS = ['discovery', 'keys', 'login', 'authorization', 'token', 'resource'] as const

/** A group of findings. */
export type Group = (typeof GROUPS)[number]

/** What was found about one rule. */
export interface Found {
  readonly result: 'pass' | 'fault' | 'not_applicable'
  /** What was seen; why the rule does not apply. May hold text of the server. */
  readonly detail: string
}

/** One line of the report. */
export interface Finding extends Found {
  readonly group: Group
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** What a good server does. */
  readonly title: string
  /** The rule, such as `RFC 6749 §4.1.2`. */
  readonly rule: string
}

/** The rule is kept. */
export function pass(detail: string): Found {
  return { result: 'pass', detail }
}

/** The rule is broken. */
export function fault(detail: string): Found {
  return { result: 'fault', detail }
}

/** The rule says nothing here, or cannot be tried. */
export function notApplicable(why: string): Found {
  return { result: 'not_applicable', detail: why }
}

/** A pass or a fault. */
export function passIf(ok: boolean, detail: string): Found {
  return ok ? pass(detail) : fault(detail)
}

/** How many of each. */
export interface Score {
  readonly passed: number
  readonly faults: number
  readonly not_applicable: number
  /** Passed of those that apply, rounded down: 100 only where nothing is wrong. */
  readonly percent: number
}

/** Counts findings. */
export function scoreOf(findings: readonly Finding[]): Score {
  const count = (wanted: Found['result']) => findings.filter(({ result }) => result === wanted).length
  const passed = count('pass')
  const faults = count('fault')
  const percent = passed + faults === 0 ? 0 : Math.floor((100 * passed) / (passed + faults))
  return { passed, faults, not_applicable: count('not_applicable'), percent }
}
