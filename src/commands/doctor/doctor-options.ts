import { type Finding, GROUPS, type Group } from '../../judge/doctor/finding.js'
import { findingNames } from '../../judge/doctor/names.js'
import { UsageError } from '../../protocol/errors.js'
import { isUrl } from '../../protocol/http/address.js'
import { isLoopbackUrl } from '../../protocol/http/message.js'
import { nearestHint } from '../../protocol/nearest.js'
import type { Severity } from '../../protocol/rules/finding.js'
import { isJsonObject } from '../../protocol/values.js'
import { parseYaml, type YamlText, YamlTextError } from '../../protocol/yaml-text.js'
import { readInputFile } from '../../session/input/input.js'
import { SEVERITIES } from '../../show/render/doctor/doctor.js'
import type { Globals } from '../program/globals.js'

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
    throw new UsageError(
      `there is no group "${foreign}"; --only takes ${GROUPS.join(', ')}`,
      nearestHint(foreign, GROUPS),
    )
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

/** An earlier report. */
interface Baseline {
  /** The server and the client that it is about, where it names them. */
  readonly issuer?: string
  readonly clientId?: string
  /** Its broken rules: the weight of each finding, by its name. */
  readonly broken: ReadonlyMap<string, Severity>
}

/** The baseline of a run without one. */
const NO_BASELINE: Baseline = { broken: new Map() }

/** Reads an earlier report (`--json`). @throws UsageError with the line of the mistake */
export async function readBaseline(file: string): Promise<Baseline> {
  const { placeOf, value } = await parsed(file, await readInputFile('the baseline', file))
  const { findings, issuer, client_id: clientId } = isJsonObject(value) ? value : {}
  if (!Array.isArray(findings)) throw noReport(file, 'it has no list "findings"')
  const broken = new Map<string, Severity>()
  for (const [index, finding] of findings.entries()) {
    if (!isJsonObject(finding) || typeof finding.name !== 'string' || typeof finding.result !== 'string') {
      throw noReport(file, `line ${placeOf(['findings', index])?.line}: a finding without name or result`)
    }
    const severity = SEVERITIES.find(each => each === finding.result)
    if (severity !== undefined) broken.set(finding.name, severity)
  }
  return {
    ...(typeof issuer === 'string' && { issuer }),
    ...(typeof clientId === 'string' && { clientId }),
    broken,
  }
}

/** Parses JSON. Node's parser does not always report a position; the YAML parser reads JSON too. */
async function parsed(file: string, text: string): Promise<YamlText> {
  try {
    return await parseYaml(text)
  } catch (error) {
    if (!(error instanceof YamlTextError)) throw error
    throw noReport(file, `line ${error.line}: ${error.message}`)
  }
}

function noReport(file: string, reason: string): UsageError {
  return new UsageError(`the baseline ${file} is no report of the doctor: ${reason}`, [
    'Write one:  oauth-lab doctor --json > baseline.json',
  ])
}

/** True for a broken rule that the baseline has with this weight or a heavier one. A remark that became a fault is new. */
export function isKnown({ name, result }: Finding, { broken }: Baseline): boolean {
  const before = broken.get(name)
  const now = (SEVERITIES as readonly string[]).indexOf(result)
  return before !== undefined && now >= SEVERITIES.indexOf(before)
}

const isLocal = (issuer: string): boolean => isUrl(issuer) && isLoopbackUrl(issuer)

/** Says why a baseline may hide what is new: it is of another server or client, or names what this version does not examine. */
export function baselineRemarks(
  { issuer, clientId, broken }: Baseline,
  now: { readonly issuer: string; readonly clientId: string },
): string[] {
  const names = findingNames()
  const unknown = [...broken.keys()].filter(name => !names.has(name))
  // Labs on this computer differ in their ports.
  const isOther = issuer !== undefined && issuer !== now.issuer && !(isLocal(issuer) && isLocal(now.issuer))
  return [
    ...(isOther ? [`The baseline is of ${issuer}, and this is ${now.issuer}.`] : []),
    ...(clientId !== undefined && clientId !== now.clientId
      ? [`The baseline was written as the client ${clientId}, and this is ${now.clientId}.`]
      : []),
    ...(unknown.length > 0
      ? [`The baseline names findings that this version does not have: ${unknown.join(', ')}`]
      : []),
  ]
}

/** The findings of a baseline that are no longer broken. */
export function mended({ broken }: Baseline, findings: readonly Finding[]): string[] {
  return [...broken.keys()].filter(name =>
    findings.some(each => each.name === name && each.result === 'pass'),
  )
}
