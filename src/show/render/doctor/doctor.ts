import type { Finding, Score } from '../../../judge/doctor/finding.js'
import type { Severity } from '../../../protocol/rules/finding.js'
import { makeSafe } from '../../../protocol/safe-output/safe.js'
import { signsFor } from '../text/signs.js'
import { cutEnd, pad, width, wrap } from '../text/text.js'

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

/** How a report is written. */
export interface ReportOptions {
  /** Spell every character beyond ASCII. */
  readonly ascii: boolean
  /** Width of the terminal; absent without a terminal: no line is broken. */
  readonly columns?: number | undefined
}

/** Text of a server is cut here. */
const MAX_DETAIL = 160

/** Room for a name, such as `resource-id-token-as-access-token`. A longer one moves its rule to the right. */
const NAME_COLUMNS = 33

/** The longest rule: `OpenID Connect Core §3.1.2.2`, or `MCP 2026-07-28 Authorization §11.1`. */
const RULE_COLUMNS = 28
const MCP_RULE_COLUMNS = 34

/** The letters that `section` has more than its sign. */
const ASCII_MORE = 7

/** The column in which names start. */
const INDENT = 11

const headings: Readonly<Record<Finding['group'], string>> = {
  discovery: 'Discovery',
  keys: 'Keys',
  tls: 'TLS',
  login: 'Login',
  authorization: 'Authorization request',
  token: 'Token request',
  refresh: 'Refresh token',
  device: 'Device authorization',
  ciba: 'Backchannel authentication',
  assertion: 'Assertion grant',
  par: 'Pushed authorization request',
  jar: 'Request object',
  dpop: 'DPoP',
  introspection: 'Introspection',
  revocation: 'Revocation',
  logout: 'Logout',
  registration: 'Registration',
  resource: 'Access token',
  mcp: 'MCP server',
}

/** The heading of a group. */
export function groupHeading(group: Finding['group']): string {
  return headings[group]
}

/** Lines below a finding. */
function below(text: string, columns: number | undefined): string[] {
  const lines = columns === undefined ? [text] : wrap(text, columns - INDENT - 1)
  return lines.map(each => ' '.repeat(INDENT) + each)
}

/**
 * One finding: verdict, name, rule, what was seen; the last on lines of its own where it does not fit beside them. A
 * broken rule is followed by what a good server does.
 */
export function findingLines(finding: Finding, options: ReportOptions): string[] {
  const { result, title, ignored } = finding
  const { ascii, columns } = options
  const broken = !ignored && (result === 'fault' || result === 'weakness' || result === 'remark')
  const good = title.startsWith('refused: ') ? `to be ${title}` : `right: ${title}`
  const right = broken ? below(makeSafe(good, { ascii }), columns) : []
  return [...observedLines(finding, options), ...right]
}

function observedLines(
  { group, result, name, rule, detail, ignored }: Finding,
  { ascii, columns }: ReportOptions,
): string[] {
  const signs = signsFor({ ascii })
  const verdict = {
    pass: `${signs.done} pass `,
    fault: `${signs.refused} FAULT`,
    weakness: `${signs.look} weak `,
    remark: `${signs.look} note `,
    not_applicable: `${signs.next} n/a  `,
    not_tried: `${signs.look} ???  `,
  }[result]
  const said = ignored ? `ignored: ${detail}` : result === 'not_tried' ? `not tried: ${detail}` : detail
  const seen = cutEnd(makeSafe(said, { ascii }), MAX_DETAIL, signs.ellipsis)
  const ruleColumns = (group === 'mcp' ? MCP_RULE_COLUMNS : RULE_COLUMNS) + (ascii ? ASCII_MORE : 0)
  const section = ascii ? rule.replace('§', 'section ') : rule
  const judged = `  ${verdict}  ${pad(name, NAME_COLUMNS)} ${pad(section, ruleColumns)}`
  const line = `${judged} ${seen}`.trimEnd()
  // The last column stays empty: terminals differ in what they do with it.
  if (columns === undefined || width(line) < columns) return [line]
  if (width(judged.trimEnd()) < columns) return [judged.trimEnd(), ...below(seen, columns)]
  // The name of a draft has no room beside the name of a check.
  return [`  ${verdict}  ${name}`, ...below(section, columns), ...below(seen, columns)]
}

/** The last line: the number of each. Weaknesses, remarks and checks that were not tried are named where there are any. */
export function scoreLine({
  passed,
  faults,
  weaknesses,
  remarks,
  not_applicable,
  not_tried,
  percent,
}: Score): string {
  const counted = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`
  return [
    `score ${percent} %: ${passed} passed`,
    counted(faults, 'fault', 'faults'),
    ...(weaknesses > 0 ? [counted(weaknesses, 'weakness', 'weaknesses')] : []),
    ...(remarks > 0 ? [counted(remarks, 'remark', 'remarks')] : []),
    ...(not_tried > 0 ? [`${not_tried} not tried`] : []),
    `${not_applicable} not applicable`,
  ].join(', ')
}
