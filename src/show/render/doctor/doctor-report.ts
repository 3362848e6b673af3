import type { Finding, Score } from '../../../judge/doctor/finding.js'
import type { Severity } from '../../../protocol/rules/finding.js'

/** A finished examination. */
export interface DoctorReport {
  readonly issuer: string
  readonly clientId: string
  readonly score: Score
  /** The number of findings that were tried: passed or broken. */
  readonly tried: number
  readonly findings: readonly Finding[]
  /** The lightest finding that counts as a failure (`--severity`). */
  readonly severity: Severity
  /** True when the flow without any wrong move ended at a page that cannot be read. */
  readonly unread: boolean
  /** The version of this program. */
  readonly version: string
}

/** The weights of broken rules, the heaviest first. */
export const SEVERITIES: readonly Severity[] = ['fault', 'weakness', 'remark']

/** True for a finding that makes the examination fail. */
export function fails({ result, ignored }: Finding, severity: Severity): boolean {
  const heavy: readonly string[] = SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1)
  return !ignored && heavy.includes(result)
}
