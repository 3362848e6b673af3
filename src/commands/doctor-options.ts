import { UsageError } from '../errors.js'
import { type Finding, GROUPS, type Group, type Severity } from '../flows/doctor/finding.js'
import { findingNames } from '../flows/doctor/names.js'
import { readInputFile } from '../input/input-file.js'
import type { Globals } from './globals.js'

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
  /** The names of findings that the baseline names as broken. */
  readonly known: readonly string[]
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
  const known = baseline === undefined ? [] : await brokenIn(baseline)
  return {
    only: only.filter(isGroup),
    ignore: new Set([...ignore, ...known]),
    known,
    severity,
    form: json ? 'json' : (output ?? 'text'),
  }
}

const BROKEN: readonly unknown[] = ['fault', 'weakness', 'remark']

/** The names of the broken rules of an earlier report. @throws UsageError */
async function brokenIn(file: string): Promise<string[]> {
  const text = await readInputFile('the baseline', file)
  const findings = findingsIn(text)
  if (findings === undefined) {
    throw new UsageError(`the baseline ${file} is no report of the doctor`, [
      'Write one:  oauth-lab doctor --json > baseline.json',
    ])
  }
  return findings.flatMap(({ name, result }) =>
    typeof name === 'string' && BROKEN.includes(result) ? [name] : [],
  )
}

function findingsIn(text: string): ReadonlyArray<Readonly<Record<string, unknown>>> | undefined {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return undefined
  }
  const { findings } = (parsed ?? {}) as { readonly findings?: unknown }
  if (!Array.isArray(findings)) return undefined
  return findings.every(each => typeof each === 'object' && each !== null) ? findings : undefined
}

/** The findings of a baseline that are no longer broken. */
export function mended(known: readonly string[], findings: readonly Finding[]): string[] {
  return known.filter(name => findings.some(each => each.name === name && each.result === 'pass'))
}
