import type { Finding } from '../../../judge/doctor/finding.js'
import { ruleAddress } from '../rule-lines.js'
import type { DoctorReport } from './doctor.js'

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json'

/** The level of each broken rule (SARIF 2.1.0 §3.27.10). */
const LEVELS: Readonly<Partial<Record<Finding['result'], string>>> = {
  fault: 'error',
  weakness: 'warning',
  remark: 'note',
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

/**
 * The place of a server. Code scanning takes no address of http or https, because every place is a file of a repository
 * there: the host and the path stand for one.
 */
function locationOf(issuer: string) {
  const uri = issuer.replace(/^[a-z]+:\/\//i, '').replace(/\/$/, '')
  return { physicalLocation: { artifactLocation: { uri }, region: { startLine: 1 } } }
}

function resultOf({ name, rule, detail, result }: Finding, ruleIndex: number, report: DoctorReport) {
  const { issuer, clientId } = report
  return {
    ruleId: name,
    ruleIndex,
    kind: 'fail',
    level: LEVELS[result],
    message: { text: `${detail || result} (${rule})` },
    locations: [locationOf(issuer)],
    partialFingerprints: { 'oauthLab/v1': `${issuer} ${clientId} ${name}` },
  }
}

/**
 * An examination as a SARIF 2.1.0 log, as code scanning reads it: every check is a rule, and the broken ones that count are
 * results. Code scanning opens an alert for each result, whatever its kind and its suppressions are.
 */
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
        results: findings.flatMap((each, index) =>
          LEVELS[each.result] === undefined || each.ignored ? [] : [resultOf(each, index, report)],
        ),
        properties: { issuer, client_id: clientId, score, tried },
      },
    ],
  }
}
