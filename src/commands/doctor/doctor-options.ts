import { GROUPS, type Group } from '../../judge/doctor/finding.js'
import { findingNames } from '../../judge/doctor/names.js'
import { UsageError } from '../../protocol/errors.js'
import type { Severity } from '../../protocol/rules/finding.js'
import type { Globals } from '../program/globals.js'
import { type Baseline, NO_BASELINE, readBaseline } from './doctor-baseline.js'

/** The form of a report. */
export type ReportForm = 'text' | 'json' | 'junit' | 'sarif'

/** The options of a report. */
export interface ReportOptions {
  readonly only?: readonly string[]
  readonly ignore?: readonly string[]
  readonly severity: Severity
  readonly output?: ReportForm
  /** An earlier report, by `--json`. */
  readonly baseline?: string
}

/** The options of a report, checked. */
export interface CheckedOptions {
  readonly only: readonly Group[]
  /** The names of findings that do not count. */
  readonly ignore: ReadonlySet<string>
  readonly known: Baseline
  readonly severity: Severity
  readonly form: ReportForm
}

/** Checks the options of a report. @throws UsageError */
export async function checkedOptions(
  { only = GROUPS, ignore = [], severity, output, baseline }: ReportOptions,
  { json }: Pick<Globals, 'json'>,
): Promise<CheckedOptions> {
  const isGroup = (name: string): name is Group => GROUPS.some(each => each === name)
  const foreign = only.find(name => !isGroup(name))
  if (foreign !== undefined) {
    throw new UsageError(`there is no group "${foreign}"; --only takes ${GROUPS.join(', ')}`)
  }
  const names = findingNames()
  const unknown = ignore.find(name => !names.has(name))
  if (unknown !== undefined) {
    throw new UsageError(`there is no finding "${unknown}"; oauth-lab doctor --json prints their names`)
  }
  if (json && output !== undefined && output !== 'json') {
    throw new UsageError(`--json and -o ${output} are two forms of one report`, ['Leave one out'])
  }
  const known = baseline === undefined ? NO_BASELINE : await readBaseline(baseline)
  return {
    only: only.filter(isGroup),
    ignore: new Set(ignore),
    known,
    severity,
    form: json ? 'json' : (output ?? 'text'),
  }
}
