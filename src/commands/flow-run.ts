import { type CallbackListener, listenForCallback } from '../client/callback-listener.js'
import { discover } from '../client/discovery.js'
import type { AskLogin } from '../client/login.js'
import { createTransport, type Transport } from '../client/transport.js'
import { transportHints } from '../client/transport-errors.js'
import { EXIT } from '../errors.js'
import { type Flow, type FlowName, flows } from '../flows/flows.js'
import type { FlowOptions } from '../flows/options.js'
import { outcomeOf } from '../flows/outcome.js'
import type { FlowRecord, Outcome } from '../flows/step.js'
import { makeSafe } from '../render/text.js'
import type { FlowFlags } from './flow.js'
import { portsOf } from './flow-agents.js'
import { checkExport, exportRun } from './flow-export.js'
import { needsLogin, readInput, userOf, type Wanted, wantedOf } from './flow-options.js'
import { lineWriter, recordLines, tellFlow, writeFlow } from './flow-output.js'
import { findClient, type KnownUser } from './flow-words.js'
import type { Globals } from './globals.js'
import { type LabInUse, labInUse } from './lab-in-use.js'
import { narrate } from './output.js'
import { asciiOnly, type OutputMode, outputMode } from './output-mode.js'
import { type Interruption, watchSignals } from './signals.js'

/** Everything a run of a flow is made of, once the lab is known. */
interface Run {
  readonly name: FlowName
  readonly flags: FlowFlags
  readonly globals: Globals
  readonly lab: LabInUse
  readonly wanted: Wanted
  /** Undefined where nobody logs in, or the person at the terminal does. */
  readonly user: KnownUser | undefined
  readonly transport: Transport
  readonly mode: OutputMode
  readonly interruption: Interruption
}

/**
 * `oauth-lab flow NAME`: finds the lab, walks the flow, shows it.
 * @returns the exit code
 */
export async function runFlow(name: FlowName, flags: FlowFlags, globals: Globals): Promise<number> {
  checkExport(flags.export, globals.json)
  const mode = outputMode({
    json: globals.json,
    plain: flags.plain === true || flags.export !== undefined,
    screenReader: flags.screenReader === true,
    toFile: flags.output !== undefined,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  const input = await readInput(flags)
  const interruption = watchSignals()
  try {
    const lab = await labInUse(globals, { narrate })
    try {
      const client = findClient(flags.client, lab.config.clients)
      const onScreen = mode === 'tui'
      const user = needsLogin(name, input) ? userOf(flags, input, { onScreen, lab }) : undefined
      const wanted = await wantedOf(name, flags, input, { client, lab, home: globals.home })
      const { caPem, now } = lab
      const { timeoutMs } = globals
      const transport = createTransport({ timeoutMs, now, ...(caPem !== undefined && { caPem }) })
      try {
        return await show({ name, flags, globals, lab, wanted, user, transport, mode, interruption })
      } finally {
        await transport.close()
      }
    } finally {
      await lab.stop()
    }
  } finally {
    interruption.ignore()
  }
}

async function show(run: Run): Promise<number> {
  const { name, flags, globals, lab, transport, mode, interruption } = run
  const { signal } = interruption
  const { clientId } = run.wanted
  const ascii = globals.ascii || asciiOnly(process.env)
  // An export has the output to itself.
  const write = flags.export === undefined ? lineWriter(flags.output) : narrate
  const shown = { clientId, showSecrets: globals.showSecrets, ascii, json: mode === 'json' }

  let wanted: FlowOptions
  try {
    wanted = { ...run.wanted, ...(await knownOf(lab, transport, globals.home, signal)) }
  } catch (error) {
    const outcome = outcomeOf(error, signal)
    for (const line of recordLines(outcome, shown)) write(line)
    return finish(outcome, interruption)
  }

  const flow: Flow = flows[name]
  const plan = flow.plan(wanted)
  if (mode === 'tui') {
    const { runFlowScreen } = await import('../tui/run.js')
    const outcome = await runFlowScreen({
      command: `flow ${name}`,
      clientId,
      issuer: lab.urls.authorization,
      plan,
      start: (ask, ended, say) => start(run, wanted, ask, AbortSignal.any([ended, signal]), say),
      now: lab.now,
      showSecrets: globals.showSecrets,
      ascii,
      ...suggestion(run),
    })
    return Number(process.exitCode ?? (outcome ? exitCodeOf(outcome, interruption) : EXIT.done))
  }
  const records = start(run, wanted, undefined, signal, narrate)
  const text = { ...shown, flow: flow.title, plan, now: lab.now }
  const outcome = flags.export
    ? await exportRun(records, { ...text, ...flags, format: flags.export, lab })
    : mode === 'screen-reader'
      ? await tellFlow(records, text, write, signal)
      : await writeFlow(records, record => recordLines(record, shown), write)
  return outcome ? finish(outcome, interruption) : (interruption.exitCode() ?? EXIT.done)
}

/** What the client knows of the lab: published, or by hand. */
async function knownOf(
  { urls, config }: LabInUse,
  { send }: Transport,
  home: string,
  signal: AbortSignal,
): Promise<Pick<FlowOptions, 'metadata' | 'carriedKeys'>> {
  const issuer = urls.authorization
  const { carriedKeys, isPublished, unpublishedMetadata } = await import('./unpublished-lab.js')
  if (isPublished(config)) return { metadata: await discover(issuer, send, signal) }
  const keys = await carriedKeys(config, home)
  return { metadata: unpublishedMetadata(issuer, config), ...(keys && { carriedKeys: keys }) }
}

/** The first user of the lab file, so that Enter alone logs in. */
function suggestion({ lab, user }: Run): { suggestedUser?: KnownUser } {
  const first = user ?? lab.config.users.find(each => each.password !== undefined)
  return first?.password === undefined
    ? {}
    : { suggestedUser: { username: first.username, password: first.password } }
}

/** One run of the flow, with a listener of its own at the redirect_uri where the flow comes back there. */
async function* start(
  run: Run,
  wanted: FlowOptions,
  ask: AskLogin | undefined,
  signal: AbortSignal,
  say: (line: string) => void,
): AsyncGenerator<FlowRecord, void, void> {
  const { name, flags, globals, lab, transport, user } = run
  const { needs, run: walk }: Flow = flows[name]
  const { send } = transport
  const comesBack = needs.includes('redirect') && wanted.accessToken === undefined
  let callback: CallbackListener | undefined
  try {
    callback = comesBack ? await listenForCallback(wanted.redirectUri) : undefined
    const ports = portsOf({
      ...{ send, browse: send, user, ask, callback, say, signal },
      ...{ now: lab.now, random: lab.random, inBrowser: flags.browser, open: flags.open },
      patience: flags.patient ? globals.timeoutMs : undefined,
    })
    yield* walk(ports, { ...wanted, redirectUri: callback?.redirectUri ?? wanted.redirectUri })
  } catch (error) {
    yield outcomeOf(error, signal)
  } finally {
    await callback?.close()
  }
}

/** The exit code of an outcome. */
export function exitCodeOf(outcome: Outcome, { exitCode }: Pick<Interruption, 'exitCode'>): number {
  if (outcome.outcome === 'granted') return EXIT.done
  if (outcome.outcome === 'refused') return EXIT.refused
  if (outcome.error?.error === 'timeout') return EXIT.timeout
  return exitCode() ?? EXIT.transport
}

/** Says on stderr what a failure of the network means, and hands over the exit code. */
function finish(outcome: Outcome, interruption: Interruption): number {
  const { error } = outcome
  if (outcome.outcome === 'failed' && error && interruption.exitCode() === undefined) {
    const hints = transportHints(error.error)
    narrate([`oauth-lab: ${makeSafe(error.error_description)}`, ...hints.map(hint => `  ${hint}`)].join('\n'))
  }
  return exitCodeOf(outcome, interruption)
}
