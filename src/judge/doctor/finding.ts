import type { Judgement } from '../../protocol/rules/finding.js'
import type { Citation } from '../../protocol/rules/rule.js'

/** The groups of findings, in the order of the report. */
export const GROUPS = [
  'discovery',
  'keys',
  'tls',
  'login',
  'authorization',
  'token',
  'refresh',
  'device',
  'ciba',
  'assertion',
  'par',
  'jar',
  'dpop',
  'introspection',
  'revocation',
  'logout',
  'registration',
  'resource',
  'mcp',
] as const

/** A group of findings. */
export type Group = (typeof GROUPS)[number]

export {
  fault,
  type Judgement,
  notApplicable,
  notTried,
  pass,
  passIf,
  remark,
} from '../../protocol/rules/finding.js'

/** One line of the report. */
export interface Finding extends Judgement {
  readonly group: Group
  /** kebab-case and stable: scripts name it. */
  readonly name: string
  /** The behaviour of a good server. */
  readonly title: string
  /** The rule, such as `RFC 6749 §4.1.2`. */
  readonly rule: Citation
  /** True when the person asked not to count it (`--ignore`). */
  readonly ignored?: true
}

/** The observation about a request that was not answered. */
export const NO_ANSWER = 'no answer came'

/** The number of findings of each result. */
export interface Score {
  readonly passed: number
  readonly faults: number
  readonly weaknesses: number
  readonly remarks: number
  readonly not_applicable: number
  readonly not_tried: number
  /** Passed and remarks of those that apply, tried or not, rounded down: 100 only where everything was tried and nothing is wrong. */
  readonly percent: number
}

/** Counts findings, without the ignored ones. */
export function scoreOf(findings: readonly Finding[]): Score {
  const count = (wanted: Judgement['result']) =>
    findings.filter(({ result, ignored }) => result === wanted && !ignored).length
  const passed = count('pass')
  const faults = count('fault')
  const weaknesses = count('weakness')
  const remarks = count('remark')
  const untried = count('not_tried')
  const kept = passed + remarks
  const all = kept + faults + weaknesses + untried
  const percent = all === 0 ? 0 : Math.floor((100 * kept) / all)
  return {
    passed,
    faults,
    weaknesses,
    remarks,
    not_applicable: count('not_applicable'),
    not_tried: untried,
    percent,
  }
}
