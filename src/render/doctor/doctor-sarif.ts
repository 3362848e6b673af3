import type { Finding } from '../../flows/doctor/finding.js'
import { ruleAddress } from '../rule-name.js'
import type { DoctorReport } from './doctor-report.js'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** Kind and level of each result (SARIF 2.1.0 §3.27.9, §3.27.10). Only a failed result has a level. */
const kinds: Readonly<Record<Finding['result'], { readonly kind: string; readonly level: string }>> = {
  pass: { kind: 'pass', level: 'none' },
  fault: { kind: 'fail', level: 'error' },
  weakness: { kind: 'fail', level: 'warning' },
  remark: { kind: 'fail', level: 'note' },
  not_applicable: { kind: 'notApplicable', level: 'none' },
  not_tried: { kind: 'open', level: 'none' },
}

function ruleOf({ name, title, rule, group }: Finding) {
  const helpUri = ruleAddress(rule)
  return {
    id: name,
    shortDescription: { text: title },
    help: { text: `${title} (${rule})` },
    ...(helpUri !== undefined && { helpUri }),
    properties: { group, rule, tags: [group] },
  }
}

function resultOf(
  { name, result, rule, detail, ignored }: Finding,
  ruleIndex: number,
  { issuer, clientId }: DoctorReport,
) {
  return {
    ruleId: name,
    ruleIndex,
    ...kinds[result],
    message: { text: `${detail || result} (${rule})` },
    locations: [{ physicalLocation: { artifactLocation: { uri: issuer } } }],
    partialFingerprints: { 'oauthLab/v1': `${issuer} ${clientId} ${name}` },
    ...(ignored && { suppressions: [{ kind: 'external', justification: 'ignored by an option' }] }),
  }
}

/** An examination as a SARIF 2.1.0 log, as code scanning reads it: a rule and a result for each finding. */
export function sarifReport(report: DoctorReport): object {
  const { findings, version, unread, issuer, clientId, score, tried } = report
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'oauth-lab', semanticVersion: version, rules: findings.map(ruleOf) } },
        invocations: [{ executionSuccessful: !unread }],
        columnKind: 'utf16CodeUnits',
        results: findings.map((each, index) => resultOf(each, index, report)),
        properties: { issuer, client_id: clientId, score, tried },
      },
    ],
  }
}
