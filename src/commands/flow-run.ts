import type { User } from '../authorization-server/model.js'
import { type CallbackListener, listenForCallback } from '../client/callback-listener.js'
import type { AskLogin } from '../client/login.js'
import { offerCodings } from '../client/offer-codings.js'
import { createTransport, type Transport } from '../client/transport.js'
import { transportHints } from '../client/transport-errors.js'
import { EXIT, UsageError } from '../errors.js'
import { type ClientExtras, clientWires } from '../flows/client-wires.js'
import { type Flow, type FlowName, flows } from '../flows/flows.js'
import { opened, openedPlan } from '../flows/opening.js'
import type { FlowOptions } from '../flows/options.js'
import { outcomeOf } from '../flows/outcome.js'
import type { FlowRecord, Outcome, PlannedStep, Step } from '../flows/step.js'
import type { Send } from '../http/exchange.js'
import { makeSafe } from '../render/text.js'
import type { Gate } from '../tui/flow/gate.js'
import type { StartFlow } from '../tui/flow/runner.js'
import { checkExport, exportRun } from './flow-export.js'
import type { FlowFlags } from './flow-flags.js'
import { gatedSend } from './flow-gate.js'
import { checkFlags, needsLogin, readInput, userOf, type Wanted, wantedOf } from './flow-options.js'
import { lineWriter, recordLines, tellFlow, writeFlow } from './flow-output.js'
import { type Acquaintance, type FlowTarget, flowTarget } from './flow-target.js'
import type { KnownUser } from './flow-words.js'
import type { Globals } from './globals.js'
import { narrate } from './output.js'
import { type OutputMode, outputMode } from './output-mode.js'
import { type Interruption, watchSignals } from './signals.js'
import { checkTampering, type TamperedFlow, tamperedFlow, tamperingNamed } from './tampering.js'

/** Everything a run of a flow is made of, once the server is named. */
interface Run {
  readonly name: FlowName
  readonly flags: FlowFlags
  readonly globals: Globals
  readonly target: FlowTarget
  readonly wanted: Wanted
  /** Undefined where nobody logs in, or the person at the terminal does. */
  readonly user: KnownUser | undefined
  readonly transport: Transport
  readonly mode: OutputMode
  readonly interruption: Interruption
  /** The flow with a wrong move in it. */
  readonly tamper: TamperedFlow | undefined
}

/**
 * `oauth-lab flow NAME`: finds the server, walks the flow, shows it.
 * @returns the exit code
 */
export async function runFlow(name: FlowName, flags: FlowFlags, globals: Globals): Promise<number> {
  checkExport(flags.export, globals.json)
  checkFlags(flags)
  const mode = outputMode({
    json: globals.json,
    plain: flags.plain === true || flags.export !== undefined,
    screenReader: flags.screenReader === true,
    toFile: flags.output !== undefined,
    stdinIsTerminal: process.stdin.isTTY === true,
    stdoutIsTerminal: process.stdout.isTTY === true,
    env: process.env,
  })
  // Read while the lab is asked whether it is there.
  if (mode === 'tui') void import('../tui/flow/run.js')
  const tampering = flags.tamper === undefined ? undefined : tamperingNamed(flags.tamper)
  if (tampering) checkTampering(tampering, name, flags)
  const input = await readInput(flags)
  const interruption = watchSignals()
  try {
    const { needs }: Flow = flows[name]
    const onScreen = mode === 'tui'
    const whoLogsIn = (users: readonly User[] | undefined) =>
      needsLogin(name, input) ? userOf(flags, input, { onScreen, users }) : undefined
    const target = await flowTarget(flags, globals, {
      hasAuthorizationRequest: needs.includes('redirect'),
      labUse: {
        ...tampering?.labUse,
        check: ({ users }) => void whoLogsIn(users),
      },
    })
    try {
      const user = whoLogsIn(target.lab && target.users)
      const wanted = await wantedOf(name, flags, input, target, globals.home)
      const tamper = tampering && tamperedFlow(tampering, { name, target, user, inBrowser: flags.browser })
      const { caPem, now } = target
      const { timeoutMs } = globals
      const { send, close } = createTransport({ timeoutMs, now, caPem })
      const transport: Transport = { send: offerCodings(send), close }
      try {
        return await show({
          ...{ name, flags, globals, target, wanted, user, transport, mode, interruption, tamper },
        })
      } finally {
        transport.close()
      }
    } finally {
      await target.stop()
    }
  } finally {
    interruption.ignore()
  }
}

async function show(run: Run): Promise<number> {
  const { name, flags, globals, target, mode, interruption, tamper } = run
  const { signal } = interruption
  const { clientId } = run.wanted
  const ascii = globals.ascii
  // An export has the output to itself.
  const write = flags.export === undefined ? lineWriter(flags.output) : narrate
  const shown = { clientId, showSecrets: globals.showSecrets, ascii, json: mode === 'json' }

  const met = await acquaintance(run)
  const { opening, known, extras } = met
  if (!known || !extras) {
    const outcome = outcomeOf(met.error, signal)
    for (const record of [...opening, outcome]) for (const line of recordLines(record, shown)) write(line)
    return finish(outcome, interruption)
  }
  const asked: FlowOptions = { ...run.wanted, ...known }
  const wanted = tamper ? tamper.adjust(asked) : asked
  const walked: Walked = { wanted, extras, opening }

  const flow: Flow = flows[name]
  const plan = openedPlan(opening, planOf(run, walked))
  if (mode === 'tui') {
    const { runFlowScreen } = await import('../tui/flow/run.js')
    const { takesClipboard } = await import('../tui/screen/clipboard.js')
    const { flowOffers } = await import('./flow-offers.js')
    const begins =
      (run: Run, walked: Walked): StartFlow =>
      (ask, ended, say, gate) =>
        start(run, walked, ask, AbortSignal.any([ended, signal]), say, gate)
    const begin = (move: string) => {
      const moved = { ...run, tamper: screenMove(run, move) }
      const other: Walked = { wanted: moved.tamper.adjust(asked), extras, opening }
      return { plan: openedPlan(opening, planOf(moved, other)), start: begins(moved, other) }
    }
    const outcome = await runFlowScreen({
      command: tamper ? `flow ${name} --tamper ${tamper.name}` : `flow ${name}`,
      clientId,
      issuer: target.issuer,
      plan,
      start: begins(run, walked),
      offers: flowOffers(name, target, globals, { clientId, begin }),
      hasClipboard: takesClipboard(process.env),
      now: target.now,
      showSecrets: globals.showSecrets,
      ascii,
      ...suggestion(run),
    })
    return Number(process.exitCode ?? (outcome ? exitCodeOf(outcome, interruption) : EXIT.done))
  }
  const records = start(run, walked, undefined, signal, narrate)
  const text = { ...shown, flow: flow.title, plan, now: target.now }
  const outcome = flags.export
    ? await exportRun(records, {
        ...text,
        ...flags,
        format: flags.export,
        lab: { ...target, embedded: target.lab?.embedded !== undefined },
      })
    : mode === 'screen-reader'
      ? await tellFlow(records, text, write, signal)
      : await writeFlow(records, record => recordLines(record, shown), write)
  return outcome ? finish(outcome, interruption) : (interruption.exitCode() ?? EXIT.done)
}

/** Gets to know the server; what stops that is in the result. @throws UsageError */
async function acquaintance(run: Run): Promise<Acquaintance> {
  const { target, transport, interruption } = run
  try {
    return await target.meet(transport.send, interruption.signal)
  } catch (error) {
    if (error instanceof UsageError) throw error
    return { opening: [], error }
  }
}

/** The first user of the lab file, so that Enter alone logs in. */
function suggestion({ target, user }: Run): { suggestedUser?: KnownUser } {
  const first = user ?? target.users.find(each => each.password !== undefined)
  return first?.password === undefined
    ? {}
    : { suggestedUser: { username: first.username, password: first.password } }
}

/** A wrong move that was chosen on the screen. @throws UsageError */
function screenMove(run: Run, move: string): TamperedFlow {
  const { name, target, flags } = run
  const user = suggestion(run).suggestedUser
  return tamperedFlow(tamperingNamed(move), { name, target, user, inBrowser: flags.browser })
}

/** What is walked, once the server is known. */
interface Walked {
  readonly wanted: FlowOptions
  readonly extras: ClientExtras
  readonly opening: readonly Step[]
}

/** The steps of the flow before they happen. */
function planOf({ name, tamper }: Run, { wanted, extras }: Walked): PlannedStep[] {
  const { plan }: Flow = flows[name]
  return tamper ? tamper.plan(wanted, extras) : plan(wanted)
}

/** One run of the flow, with a listener of its own at the redirect_uri where the flow comes back there. */
async function* start(
  run: Run,
  { wanted, extras, opening }: Walked,
  ask: AskLogin | undefined,
  signal: AbortSignal,
  say: (line: string) => void,
  gate?: Gate,
): AsyncGenerator<FlowRecord, void, void> {
  const { name, flags, globals, target, transport, user, tamper } = run
  const { needs, run: walk }: Flow = flows[name]
  const { now, random } = target
  // With the first step, since they bring a reader of HTML pages along.
  const { portsOf } = await import('./flow-agents.js')
  const browse = gate ? gatedSend(transport.send, gate) : transport.send
  // Who tampers sits behind what the client adds to its requests.
  const line = { send: browse }
  const travel: Send = (request, options) => line.send(request, options)
  const wires = clientWires({ send: travel, now, random }, wanted.metadata, extras)
  const dress = (through: Send): Send => {
    line.send = through
    return wires.send
  }
  const comesBack = needs.includes('redirect') && wanted.accessToken === undefined
  let callback: CallbackListener | undefined
  try {
    callback = comesBack ? await listenForCallback(wanted.redirectUri) : undefined
    const portsWith = (through: Send) =>
      portsOf({
        ...{ send: wires.send, browse: through, user, ask, callback, say, signal },
        ...{ now, random, inBrowser: flags.browser, open: flags.open },
        patience: flags.patient ? globals.timeoutMs : undefined,
      })
    const ports = portsWith(browse)
    const agentWith = (through: Send) => portsWith(through).userAgent
    const here = { ...wanted, redirectUri: callback?.redirectUri ?? wanted.redirectUri }
    const records = tamper
      ? tamper.run({ ...ports, send: browse, agentWith, dress }, here, extras)
      : walk(ports, here)
    yield* opened(opening, planOf(run, { wanted: here, extras, opening }).length, wires.told(records))
  } catch (error) {
    yield outcomeOf(error, signal)
  } finally {
    await callback?.close()
  }
}

/** The exit code of an outcome; a wrong move that was refused as it should be is a success. */
export function exitCodeOf(outcome: Outcome, { exitCode }: Pick<Interruption, 'exitCode'>): number {
  const { outcome: ending, expected } = outcome
  const tried = ending !== 'failed' || outcome.error?.error === 'not_here'
  if (tried && expected !== undefined) return expected ? EXIT.done : EXIT.refused
  if (ending === 'granted') return EXIT.done
  if (ending === 'refused') return EXIT.refused
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
