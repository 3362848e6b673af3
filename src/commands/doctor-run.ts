import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenForCallback } from '../client/callback-listener.js'
import { offerTls } from '../client/tls-offer.js'
import { UsageError } from '../errors.js'
import { examine } from '../flows/doctor/examine.js'
import { type Finding, scoreOf } from '../flows/doctor/finding.js'
import type { DoctorPorts } from '../flows/doctor/ports.js'
import { runAgent } from '../http/run-agent.js'
import { fails } from '../render/doctor-report.js'
import { clientNetwork } from '../runs/client-network.js'
import { type CheckedClient, checkedClient } from '../runs/client-setup.js'
import { doctorPeople } from '../runs/doctor-people.js'
import { type DoctorOptions, type DoctorTarget, doctorTarget } from '../runs/doctor-target.js'
import { withNamedServer } from '../targets/named-servers.js'
import { withTarget } from '../targets/target.js'
import { programVersion } from '../version.js'
import { type CheckedOptions, checkedOptions, type ReportOptions } from './doctor-options.js'
import { reportWriter } from './doctor-output.js'
import { EXIT } from './exit.js'
import type { Globals } from './globals.js'
import { keepExamination } from './lesson-outcome.js'
import { narrate } from './output.js'
import { untilSignal } from './signals.js'
import { witnessAtTerminal } from './witness.js'

/** The options of the command. */
interface RunOptions extends DoctorOptions, ReportOptions {
  /** Opens the browser; without it only the address is printed. */
  readonly open?: boolean
}

/** Longest examination with a person who logs in, in milliseconds. */
const MOST_BY_HAND = 3 * 3_600_000

/** Longest examination, in time-outs of a single exchange. */
const MOST_WAITS = 10

/**
 * `oauth-lab doctor`: examines a server and reports.
 * @returns the exit code
 */
export function runDoctor(issuer: string | undefined, typed: RunOptions, globals: Globals): Promise<number> {
  return untilSignal(async signal => {
    if (typed.at !== undefined && issuer !== undefined) {
      throw new UsageError(`--at ${typed.at} and ${issuer} are two servers`, ['Leave one out'])
    }
    const options = await withNamedServer(typed, globals)
    const checked = await checkedOptions(options, globals)
    const client = await checkedClient(options, { hasAuthorizationRequest: true })
    const found = doctorTarget(issuer, options, client, globals, { narrate })
    return withTarget(found, target => report(target, { ...checked, ...client }, options, globals, signal))
  })
}

async function report(
  target: DoctorTarget,
  { only, ignore, severity, form, certificate }: CheckedOptions & Pick<CheckedClient, 'certificate'>,
  { browser = false, open = true }: Pick<RunOptions, 'browser' | 'open'>,
  globals: Globals,
  signal: AbortSignal,
): Promise<number> {
  const { server, second, caPem, now, random } = target
  const { timeoutMs, ascii } = globals
  const agent = runAgent('doctor', randomBytes(4))
  const { send, close } = clientNetwork({ timeoutMs, now, caPem, agent }, certificate)
  const { issuer, credentials, advance } = server
  const { clientId } = server.client
  const callback = browser ? await listenForCallback(server.redirectUri) : undefined
  const own = callback && { callback, open, now, say: narrate, witness: witnessAtTerminal() }
  const ports: DoctorPorts = {
    send,
    now,
    random,
    signal,
    ...doctorPeople(credentials, second, own),
    // A clock that can be set makes waiting unnecessary.
    wait: async ms => (advance ? advance(ms) : sleep(ms, undefined, { signal })),
    offerTls: (url, offer) => offerTls(url, { ...offer, timeoutMs, signal, env: process.env }),
  }
  const reached = callback ? { ...server, redirectUri: callback.redirectUri } : server
  const writer = reportWriter(form, ascii)
  const findings: Finding[] = []
  try {
    writer.begin(issuer, clientId)
    const enough = AbortSignal.timeout(callback ? MOST_BY_HAND : MOST_WAITS * timeoutMs)
    for await (const found of examine(ports, reached, enough, only)) {
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
    // Before the report: a reader of its end may ask for the verdict at once.
    await keepExamination(issuer, findings, globals.home, target.weak)
    writer.end({ issuer, clientId, score, tried, findings, severity, unread, version })
    if (findings.length === 1 && server.known === undefined && only.includes('token')) {
      narrate('Its endpoints are not known. Name them:  --authorization-endpoint URL --token-endpoint URL')
    }
    if (findings.some(each => fails(each, severity))) return EXIT.refused
    return unread ? EXIT.transport : EXIT.done
  } finally {
    await callback?.close()
    close()
  }
}
