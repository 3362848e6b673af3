import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBrowserAgent } from '../../client/browser.js'
import { type CallbackListener, listenForCallback } from '../../client/callback-listener.js'
import { createHeadlessVerifier } from '../../client/device-headless.js'
import { createHeadlessAgent } from '../../client/headless.js'
import { answerFirst, answerNever, answerOnce, type KnownUser } from '../../client/known-login.js'
import type { AskLogin } from '../../client/login.js'
import { offerTls } from '../../client/tls-offer.js'
import { examine } from '../../judge/doctor/examine.js'
import { type Finding, type Group, scoreOf } from '../../judge/doctor/finding.js'
import type { DoctorPorts } from '../../judge/doctor/ports.js'
import { byProfile } from '../../judge/doctor/profiles.js'
import { type DoctorOptions, type DoctorTarget, doctorTarget } from '../../judge/doctor/run/target.js'
import { UsageError } from '../../protocol/errors.js'
import { runAgent } from '../../protocol/http/message.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { defined } from '../../protocol/values.js'
import { programVersion } from '../../protocol/version.js'
import { type CheckedClient, checkedClient, clientNetwork } from '../../session/client/setup.js'
import { checkedNetwork, networkSettings, warnInsecure } from '../../session/options/network.js'
import {
  createBrowserVerifier,
  openIfWanted,
  PERSON_PATIENCE,
  type People,
  wrongRequest,
} from '../../session/people/people.js'
import { withNamedServer } from '../../session/targets/named-server.js'
import { type Target, targetFrom, withTarget } from '../../session/targets/target.js'
import {
  type DoctorReport,
  fails,
  findingLines,
  groupHeading,
  scoreLine,
} from '../../show/render/doctor/doctor.js'
import { junitReport } from '../../show/render/doctor/doctor-junit.js'
import { sarifReport } from '../../show/render/doctor/doctor-sarif.js'
import { keepExamination } from '../learn/lesson-outcome.js'
import { witnessAtTerminal } from '../learn/witness.js'
import { narrate, print, printData, printJson, terminalColumns } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import {
  baselineRemarks,
  type CheckedOptions,
  checkedOptions,
  isKnown,
  mended,
  type ReportForm,
  type ReportOptions,
} from './doctor-options.js'

/** The person's own browser, which finishes what this program cannot read. */
interface OwnBrowser extends Pick<People, 'open' | 'say' | 'witness'> {
  readonly callback: CallbackListener
  /** Milliseconds since the epoch. */
  readonly now: () => number
}

/** Makes the people of an examination. Each flow logs in by itself. */
function doctorPeople(
  user: KnownUser | undefined,
  second: KnownUser | undefined,
  own: OwnBrowser | undefined,
): Pick<DoctorPorts, 'agentWith' | 'secondAgentWith' | 'verifierWith'> {
  const other: Pick<DoctorPorts, 'secondAgentWith'> = second
    ? { secondAgentWith: send => createHeadlessAgent({ send, askLogin: answerOnce(second) }) }
    : {}
  if (own === undefined) {
    const ask = () => (user ? answerOnce(user) : answerNever)
    return {
      ...other,
      agentWith: send => createHeadlessAgent({ send, askLogin: ask() }),
      verifierWith: send => createHeadlessVerifier({ send, askLogin: ask() }),
    }
  }
  const { callback, now, say } = own
  const open = (url: string) => openIfWanted(url, own)
  const parts = {
    callback,
    open,
    show: (url: string) => say(`Open this address to log in:  ${url}`),
    note: say,
    waitMs: PERSON_PATIENCE,
    now,
  }
  const inPerson: AskLogin = async () => ({ kind: 'browser' })
  const ask = () => (user ? answerFirst(user, inPerson) : inPerson)
  const verifier = createBrowserVerifier({
    open,
    show: async (url, code) => say(`Open this address and compare the code ${code}:  ${url}`),
  })
  return {
    ...other,
    agentWith(send, wrong) {
      const browser = createBrowserAgent(wrong === undefined ? parts : wrongRequest(parts, wrong, own))
      return createHeadlessAgent(defined({ send, askLogin: ask(), browser, unread: browser }))
    },
    verifierWith: send => createHeadlessVerifier({ send, askLogin: ask(), browser: verifier }),
  }
}

/** The options of the command. */
interface RunOptions extends DoctorOptions, ReportOptions {
  /** The address of an MCP server. */
  readonly mcp?: string
  /** Opens the browser; without it only the address is printed. */
  readonly open?: boolean
}

/** Longest examination with a person who logs in, in milliseconds. */
const MOST_BY_HAND = 3 * 3_600_000

/** Longest examination, in time-outs of a single exchange. */
const MOST_WAITS = 10

/** A server that is examined, as the report and the people in it need it. */
interface Patient extends Target {
  /** The issuer, or the address of an MCP server. */
  readonly name: string
  readonly clientId: string
  readonly redirectUri: string
  readonly credentials?: KnownUser | undefined
  readonly second?: KnownUser | undefined
  /** Sets the clock of the server forward, in milliseconds. */
  readonly advance?: ((ms: number) => void) | undefined
  readonly weak?: DoctorTarget['weak']
  readonly examine: (
    ports: DoctorPorts,
    redirectUri: string,
    enough: AbortSignal,
    only: readonly Group[],
  ) => AsyncGenerator<Finding, void, void>
}

async function serverPatient(
  issuer: string | undefined,
  options: RunOptions,
  client: CheckedClient,
  globals: Globals,
): Promise<Patient> {
  return targetFrom(doctorTarget(issuer, options, client, globals, { narrate }), target => {
    const { server } = target
    return {
      ...target,
      name: server.issuer,
      clientId: server.client.clientId,
      redirectUri: server.redirectUri,
      credentials: server.credentials,
      advance: server.advance,
      examine: async function* (ports, redirectUri, enough, only) {
        let count = 0
        for await (const finding of examine(ports, { ...server, redirectUri }, enough, only)) {
          count += 1
          yield finding
        }
        if (count === 1 && server.known === undefined && only.includes('token')) {
          narrate(
            'Its endpoints are not known. Name them:  --authorization-endpoint URL --token-endpoint URL',
          )
        }
      },
    }
  })
}

async function mcpPatient(url: string, options: RunOptions, globals: Globals): Promise<Patient> {
  const [{ doctorMcpTarget }, { examineMcp }] = await Promise.all([
    import('../../judge/doctor/run/mcp.js'),
    import('../../judge/doctor/mcp/examine-mcp.js'),
  ])
  const network = checkedNetwork(options)
  return targetFrom(doctorMcpTarget(url, options, globals, process.env), target => {
    const { options: wanted, run } = target.server
    warnInsecure(network, { address: target.address }, { narrate })
    return {
      ...target,
      reach: networkSettings(network, [target.address]),
      name: target.address,
      clientId: wanted.given?.clientId ?? wanted.info.name,
      redirectUri: wanted.redirectUri,
      credentials: run.credentials,
      examine: (ports, redirectUri, enough, only) =>
        examineMcp(ports, { options: { ...wanted, redirectUri }, run }, enough, only),
    }
  })
}

/** @throws UsageError for options that name two servers */
function checkSubject(
  issuer: string | undefined,
  { mcp, at, client }: RunOptions,
  only: readonly Group[],
): void {
  if (mcp === undefined) {
    if (only.length === 1 && only[0] === 'mcp') {
      throw new UsageError('--only mcp is about an MCP server', ['Name it:  --mcp https://mcp.example/mcp'])
    }
    return
  }
  const other = issuer ?? (at && `--at ${at}`)
  if (other !== undefined) {
    throw new UsageError(`${other} and --mcp are two servers`, [
      'Leave one out: an MCP server names its authorization server itself',
    ])
  }
  if (client !== 'demo') {
    throw new UsageError(
      '--client is for a lab; an MCP server is examined as a client that introduces itself',
      ['Another client:  --client-id ID'],
    )
  }
}

/** `oauth-lab doctor`: examines a server and reports. */
export function runDoctor(issuer: string | undefined, typed: RunOptions, globals: Globals): Promise<number> {
  return untilSignal(async signal => {
    if (typed.at !== undefined && issuer !== undefined) {
      throw new UsageError(`--at ${typed.at} and ${issuer} are two servers`, ['Leave one out'])
    }
    const checked = await checkedOptions(typed, globals)
    checkSubject(issuer, typed, checked.only)
    const options = await withNamedServer(typed, { ...globals, narrate })
    const { profile, ...rest } = options
    const means = profile === 'fapi2' ? { ...rest, profile } : rest
    const client = await checkedClient(means, { hasAuthorizationRequest: true })
    const found =
      options.mcp === undefined
        ? serverPatient(issuer, options, client, globals)
        : mcpPatient(options.mcp, options, globals)
    return withTarget(found, target => report(target, { ...checked, ...client }, options, globals, signal))
  })
}

async function report(
  patient: Patient,
  { only, ignore, known, severity, form, certificate }: CheckedOptions & Pick<CheckedClient, 'certificate'>,
  { browser = false, open = true, profile }: Pick<RunOptions, 'browser' | 'open' | 'profile'>,
  globals: Globals,
  signal: AbortSignal,
): Promise<number> {
  const { name: issuer, clientId, credentials, second, advance, caPem, now, random, reach } = patient
  const { timeoutMs, ascii } = globals
  const agent = runAgent('doctor', randomBytes(4))
  const { send, close } = clientNetwork({ timeoutMs, now, caPem, agent, ...reach }, certificate)
  const callback = browser ? await listenForCallback(patient.redirectUri) : undefined
  const own = callback && { callback, open, now, say: narrate, witness: witnessAtTerminal() }
  const ports: DoctorPorts = {
    send,
    now,
    random,
    signal,
    ...doctorPeople(credentials, second, own),
    // A clock that can be set makes waiting unnecessary.
    wait: async ms => (advance ? advance(ms) : sleep(ms, undefined, { signal })),
    offerTls: (url, offer) =>
      offerTls(url, { ...offer, timeoutMs, signal, env: process.env, resolve: reach?.resolve }),
    async serveDocument(redirectUri, lie) {
      const { serveOwnDocument } = await import('../../session/flow/own-document.js')
      return serveOwnDocument({ home: globals.home, name: 'oauth-lab doctor', redirectUri, lie })
    },
  }
  const redirectUri = callback?.redirectUri ?? patient.redirectUri
  const writer = reportWriter(form, ascii)
  const findings: Finding[] = []
  try {
    for (const remark of baselineRemarks(known, { issuer, clientId })) narrate(makeSafe(remark, { ascii }))
    writer.begin(issuer, clientId)
    const enough = AbortSignal.timeout(callback ? MOST_BY_HAND : MOST_WAITS * timeoutMs)
    for await (const found of byProfile(patient.examine(ports, redirectUri, enough, only), profile)) {
      const leftOut = ignore.has(found.name) || isKnown(found, known)
      const finding: Finding = leftOut ? { ...found, ignored: true } : found
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
    await keepExamination(issuer, findings, globals.home, patient.weak)
    writer.end({ issuer, clientId, score, tried, findings, severity, unread, version })
    const gone = mended(known, findings)
    if (gone.length > 0) narrate(`Broken in the baseline, and no longer: ${gone.join(', ')}`)
    if (findings.some(each => fails(each, severity))) return EXIT.refused
    return unread ? EXIT.transport : EXIT.done
  } finally {
    await callback?.close()
    close()
  }
}

/** Writes an examination to stdout: its parts while it goes on, or all of it at the end. */
interface ReportWriter {
  begin(issuer: string, clientId: string): void
  show(finding: Finding): void
  end(report: DoctorReport): void
}

/** Prints findings under the heading of their group. */
function textWriter(ascii: boolean): ReportWriter {
  let group: Finding['group'] | undefined
  return {
    begin: (issuer, clientId) => print(`${makeSafe(issuer, { ascii })} as ${makeSafe(clientId, { ascii })}`),
    show(finding) {
      if (finding.group !== group) print('', groupHeading(finding.group))
      group = finding.group
      print(...findingLines(finding, { ascii, columns: terminalColumns() }))
    },
    end: ({ score }) => print('', scoreLine(score)),
  }
}

function printWhole(form: Exclude<ReportForm, 'text'>, report: DoctorReport): void {
  const { issuer, clientId, score, tried, findings } = report
  if (form === 'junit') printData(junitReport(report))
  else
    printJson(
      form === 'sarif' ? sarifReport(report) : { issuer, client_id: clientId, score, tried, findings },
    )
}

/** The writer of a form of report. */
function reportWriter(form: ReportForm, ascii: boolean): ReportWriter {
  if (form === 'text') return textWriter(ascii)
  return { begin() {}, show() {}, end: report => printWhole(form, report) }
}
