import { randomBytes } from 'node:crypto'
import { createHeadlessAgent } from '../client/headless.js'
import { answerNever, answerOnce } from '../client/known-login.js'
import { createTransport } from '../client/transport.js'
import { UsageError } from '../errors.js'
import { examine } from '../flows/doctor/examine.js'
import { type Finding, GROUPS, type Group, type Severity, scoreOf } from '../flows/doctor/finding.js'
import { findingNames } from '../flows/doctor/names.js'
import type { NetworkPorts } from '../flows/ports.js'
import { runAgent } from '../http/run-agent.js'
import { findingLines, groupHeading, scoreLine } from '../render/doctor.js'
import { makeSafe } from '../render/text.js'
import { type DoctorOptions, type DoctorTarget, doctorTarget } from '../runs/doctor-target.js'
import { withTarget } from '../targets/target.js'
import { EXIT } from './exit.js'
import type { Globals } from './globals.js'
import { narrate, print, printJson, terminalColumns } from './output.js'
import { untilSignal } from './signals.js'

/** Longest examination, in time-outs of a single exchange. */
const MOST_WAITS = 10

/** The options of a report. */
interface ReportOptions {
  readonly only?: readonly string[]
  readonly ignore?: readonly string[]
  readonly severity: Severity
}

/** The options of a report, checked. */
interface CheckedOptions {
  readonly only: readonly Group[]
  readonly ignore: ReadonlySet<string>
  readonly severity: Severity
}

/** Checks the names in options. @throws UsageError */
function checkedOptions({ only = GROUPS, ignore = [], severity }: ReportOptions): CheckedOptions {
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
  return { only: only.filter(isGroup), ignore: new Set(ignore), severity }
}

/** The exit code of a report: 1 for a finding of this severity or a heavier one, 3 where the login page was not readable. */
function exitCodeOf(findings: readonly Finding[], severity: Severity): number {
  const counted = findings.filter(({ ignored }) => !ignored)
  const heavy: readonly string[] = SEVERITIES.slice(0, SEVERITIES.indexOf(severity) + 1)
  if (counted.some(({ result }) => heavy.includes(result))) return EXIT.refused
  const unread = counted.some(({ name, result }) => name === 'honest-flow' && result === 'not_tried')
  return unread ? EXIT.transport : EXIT.done
}

const SEVERITIES = ['fault', 'weakness', 'remark'] as const

/** Prints findings under the heading of their group. */
function textReport(ascii: boolean): (finding: Finding) => void {
  let group: Finding['group'] | undefined
  return finding => {
    if (finding.group !== group) print('', groupHeading(finding.group))
    group = finding.group
    print(...findingLines(finding, { ascii, columns: terminalColumns() }))
  }
}

/**
 * `oauth-lab doctor`: examines a server and reports.
 * @returns the exit code
 */
export function runDoctor(
  issuer: string | undefined,
  options: DoctorOptions & ReportOptions,
  globals: Globals,
): Promise<number> {
  const checked = checkedOptions(options)
  return untilSignal(signal =>
    withTarget(doctorTarget(issuer, options, globals, { narrate }), target =>
      report(target, checked, globals, signal),
    ),
  )
}

async function report(
  target: DoctorTarget,
  { only, ignore, severity }: CheckedOptions,
  globals: Globals,
  signal: AbortSignal,
): Promise<number> {
  const { server, caPem, now, random } = target
  const { timeoutMs, json, ascii } = globals
  const { send, close } = createTransport({
    timeoutMs,
    now,
    caPem,
    agent: runAgent('doctor', randomBytes(4)),
  })
  const { issuer, credentials } = server
  const { clientId } = server.client
  // Each user agent logs in by itself.
  const agentWith: NetworkPorts['agentWith'] = through =>
    createHeadlessAgent({ send: through, askLogin: credentials ? answerOnce(credentials) : answerNever })
  const ports: NetworkPorts = { send, now, random, signal, agentWith }
  const show = json ? () => {} : textReport(ascii)
  const findings: Finding[] = []
  try {
    if (!json) print(`${makeSafe(issuer, { ascii })} as ${makeSafe(clientId, { ascii })}`)
    const enough = AbortSignal.timeout(MOST_WAITS * timeoutMs)
    for await (const found of examine(ports, server, enough, only)) {
      const finding: Finding = ignore.has(found.name) ? { ...found, ignored: true } : found
      findings.push(finding)
      show(finding)
    }
    const score = scoreOf(findings)
    const tried = score.passed + score.faults + score.weaknesses + score.remarks
    if (json) printJson({ issuer, client_id: clientId, score, tried, findings })
    else print('', scoreLine(score))
    return exitCodeOf(findings, severity)
  } finally {
    close()
  }
}
