import { UsageError } from '../../errors.js'
import type { Finding, Severity } from '../../flows/doctor/finding.js'
import { readInputFile } from '../../input/input-file.js'
import { isJsonObject } from '../../oauth/json-object.js'
import { SEVERITIES } from '../../render/doctor/doctor-report.js'
import { parseYaml, type YamlText, YamlTextError } from '../../yaml-text.js'

/** The broken rules of an earlier report: the weight of each finding, by its name. */
export type Baseline = ReadonlyMap<string, Severity>

/** Reads an earlier report (`--json`). @throws UsageError with the line of the mistake */
export async function readBaseline(file: string): Promise<Baseline> {
  const { document, lineAt, value } = await parsed(file, await readInputFile('the baseline', file))
  const findings = isJsonObject(value) ? value.findings : undefined
  if (!Array.isArray(findings)) throw noReport(file, 'it has no list "findings"')
  const baseline = new Map<string, Severity>()
  for (const [index, finding] of findings.entries()) {
    if (!isJsonObject(finding) || typeof finding.name !== 'string' || typeof finding.result !== 'string') {
      const node = document.getIn(['findings', index], true) as { readonly range?: readonly number[] } | null
      throw noReport(file, `line ${lineAt(node?.range?.[0] ?? 0)}: a finding without name or result`)
    }
    const severity = SEVERITIES.find(each => each === finding.result)
    if (severity !== undefined) baseline.set(finding.name, severity)
  }
  return baseline
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
export function isKnown({ name, result }: Finding, baseline: Baseline): boolean {
  const before = baseline.get(name)
  const now = (SEVERITIES as readonly string[]).indexOf(result)
  return before !== undefined && now >= SEVERITIES.indexOf(before)
}

/** The findings of a baseline that are no longer broken. */
export function mended(baseline: Baseline, findings: readonly Finding[]): string[] {
  return [...baseline.keys()].filter(name =>
    findings.some(each => each.name === name && each.result === 'pass'),
  )
}
