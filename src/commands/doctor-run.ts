import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createHeadlessVerifier } from '../client/device-headless.js'
import { createHeadlessAgent } from '../client/headless.js'
import { answerNever, answerOnce } from '../client/known-login.js'
import { takesTls } from '../client/tls-offer.js'
import { createTransport } from '../client/transport.js'
import { examine } from '../flows/doctor/examine.js'
import { type Finding, scoreOf } from '../flows/doctor/finding.js'
import type { DoctorPorts } from '../flows/doctor/ports.js'
import { runAgent } from '../http/run-agent.js'
import { fails } from '../render/doctor-report.js'
import { type DoctorOptions, type DoctorTarget, doctorTarget } from '../runs/doctor-target.js'
import { withTarget } from '../targets/target.js'
import { programVersion } from '../version.js'
import { type CheckedOptions, checkedOptions, type ReportOptions } from './doctor-options.js'
import { reportWriter } from './doctor-output.js'
import { EXIT } from './exit.js'
import type { Globals } from './globals.js'
import { narrate } from './output.js'
import { untilSignal } from './signals.js'

/** Longest examination, in time-outs of a single exchange. */
const MOST_WAITS = 10

/**
 * `oauth-lab doctor`: examines a server and reports.
 * @returns the exit code
 */
export function runDoctor(
  issuer: string | undefined,
  options: DoctorOptions & ReportOptions,
  globals: Globals,
): Promise<number> {
  return untilSignal(async signal => {
    const checked = await checkedOptions(options, globals)
    return withTarget(doctorTarget(issuer, options, globals, { narrate }), target =>
      report(target, checked, globals, signal),
    )
  })
}

async function report(
  target: DoctorTarget,
  { only, ignore, severity, form }: CheckedOptions,
  globals: Globals,
  signal: AbortSignal,
): Promise<number> {
  const { server, caPem, now, random } = target
  const { timeoutMs, ascii } = globals
  const { send, close } = createTransport({
    timeoutMs,
    now,
    caPem,
    agent: runAgent('doctor', randomBytes(4)),
  })
  const { issuer, credentials } = server
  const { clientId } = server.client
  // Each user agent logs in by itself.
  const agentWith: DoctorPorts['agentWith'] = through =>
    createHeadlessAgent({ send: through, askLogin: credentials ? answerOnce(credentials) : answerNever })
  const { advance } = server
  const ports: DoctorPorts = {
    send,
    now,
    random,
    signal,
    agentWith,
    verifierWith: through =>
      createHeadlessVerifier({
        send: through,
        askLogin: credentials ? answerOnce(credentials) : answerNever,
      }),
    // A clock that can be set makes waiting unnecessary.
    wait: async ms => (advance ? advance(ms) : sleep(ms, undefined, { signal })),
    takesTls: (url, version) => takesTls(url, { version, timeoutMs, signal, env: process.env }),
  }
  const writer = reportWriter(form, ascii)
  const findings: Finding[] = []
  try {
    writer.begin(issuer, clientId)
    const enough = AbortSignal.timeout(MOST_WAITS * timeoutMs)
    for await (const found of examine(ports, server, enough, only)) {
      const finding: Finding = ignore.has(found.name) ? { ...found, ignored: true } : found
      findings.push(finding)
      writer.show(finding)
    }
    const score = scoreOf(findings)
    const { passed, faults, weaknesses, remarks } = score
    const unread = findings.some(
      ({ name, result, ignored }) => name === 'honest-flow' && result === 'not_tried' && !ignored,
    )
    const tried = passed + faults + weaknesses + remarks
    const version = programVersion()
    writer.end({ issuer, clientId, score, tried, findings, severity, unread, version })
    if (findings.length === 1 && server.known === undefined && only.includes('token')) {
      narrate('Its endpoints are not known. Name them:  --authorization-endpoint URL --token-endpoint URL')
    }
    if (findings.some(each => fails(each, severity))) return EXIT.refused
    return unread ? EXIT.transport : EXIT.done
  } finally {
    close()
  }
}
