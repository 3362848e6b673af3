import { randomBytes } from 'node:crypto'
import { createHeadlessAgent } from '../client/headless.js'
import { answerNever, answerOnce } from '../client/known-login.js'
import { createTransport } from '../client/transport.js'
import { examine } from '../flows/doctor/examine.js'
import { type Finding, scoreOf } from '../flows/doctor/finding.js'
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
  options: DoctorOptions,
  globals: Globals,
): Promise<number> {
  return untilSignal(signal =>
    withTarget(doctorTarget(issuer, options, globals, { narrate }), target =>
      report(target, globals, signal),
    ),
  )
}

async function report(target: DoctorTarget, globals: Globals, signal: AbortSignal): Promise<number> {
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
    for await (const finding of examine(ports, server, AbortSignal.timeout(MOST_WAITS * timeoutMs))) {
      findings.push(finding)
      show(finding)
    }
    const score = scoreOf(findings)
    if (json) printJson({ issuer, client_id: clientId, score, findings })
    else print('', scoreLine(score))
    if (score.faults > 0) return EXIT.refused
    const honest = findings.find(({ name }) => name === 'honest-flow')
    return honest?.result === 'not_tried' ? EXIT.transport : EXIT.done
  } finally {
    close()
  }
}
