import { render } from 'ink'
import type { Outcome, PlannedStep } from '../../flows/step.js'
import { signsFor } from '../../render/signs.js'
import type { EndingSignal } from '../screen/endings.js'
import { signalExitCode, watchEndings } from '../screen/endings.js'
import { createKeyReader } from '../screen/keys.js'
import { createStore } from '../screen/store.js'
import { createSuspend } from '../screen/suspend.js'
import { createTerminal } from '../screen/terminal.js'
import { FlowApp } from './app.js'
import { lastLine } from './last-line.js'
import type { SuggestedUser } from './login-form.js'
import { createPress } from './press.js'
import { reduce } from './reducer.js'
import type { StartFlow } from './runner.js'
import { createRunner } from './runner.js'
import { initialState } from './state.js'

/** What the flow screen shows, and how it begins a flow. */
export interface FlowScreenOptions {
  /** As it is typed: `flow code`. */
  readonly command: string
  readonly clientId: string
  readonly issuer: string
  readonly plan: readonly PlannedStep[]
  /** Begins a flow, and again for every restart. The signal ends it. */
  readonly start: StartFlow
  /** The lab's clock, in milliseconds since the epoch. */
  readonly now: () => number
  readonly showSecrets: boolean
  readonly ascii: boolean
  /** Fills the login panel in, so that Enter alone logs in. */
  readonly suggestedUser?: SuggestedUser
  /** Default: the process's own. Both have to be terminals. */
  readonly stdin?: NodeJS.ReadStream
  readonly stdout?: NodeJS.WriteStream
}

/** How a screen was left. */
type Ending = { readonly signal?: EndingSignal; readonly error?: unknown }

/**
 * Steps through a flow on the terminal, in the alternate screen, until the person leaves it. Then one line on stdout
 * tells what happened.
 * @returns the outcome; undefined when the person left before the end. Ctrl-C and signals set `process.exitCode`
 * @throws what the flow throws, once the terminal is restored
 */
export async function runFlowScreen(options: FlowScreenOptions): Promise<Outcome | undefined> {
  const { stdin = process.stdin, stdout = process.stdout, plan, now } = options
  const { command, clientId, issuer, suggestedUser } = options
  const signs = signsFor(options)
  const store = createStore(reduce, initialState(plan, options.showSecrets))
  let finish: (ending: Ending) => void = () => {}
  const ending = new Promise<Ending>(resolve => {
    finish = resolve
  })

  const terminal = createTerminal(stdout)
  const { suspendJob, listen, unlisten } = createSuspend({
    terminal,
    stdin,
    setAsleep: on => store.dispatch({ type: 'asleep', on }),
  })
  const restore = (): void => {
    terminal.leave()
    if (stdin.isTTY && !stdin.destroyed) stdin.setRawMode(false)
  }
  const ignore = watchEndings({ end: signal => finish({ signal }), restore })
  // A terminal that hung up fails its writes; the signal that comes with it ends the screen.
  const hungUp = (): void => finish({ signal: 'SIGHUP' })
  stdout.on('error', hungUp)
  listen()

  const runner = createRunner({
    store,
    start: options.start,
    suggestedUser,
    onError: error => finish({ error }),
  })
  const context = { command, clientId, issuer, signs }
  const press = createPress({
    store,
    runner,
    context: () => ({ ...context, now: now() }),
    quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
    suspend: suspendJob,
  })

  terminal.enter()
  const ink = render(
    <FlowApp store={store} context={context} now={now} readKeys={createKeyReader()} press={press} />,
    { stdout: terminal.stdout, stdin, exitOnCtrlC: false, patchConsole: false },
  )
  ink.waitUntilExit().catch((error: unknown) => finish({ error }))

  const ended = await ending
  ink.unmount()
  restore()
  unlisten()
  await runner.stop()
  ignore()
  stdout.off('error', hungUp)
  if ('error' in ended) throw ended.error
  if (ended.signal !== undefined) process.exitCode = signalExitCode(ended.signal)
  const state = store.get()
  if (ended.signal !== 'SIGHUP') stdout.write(`${lastLine(state, command, clientId, signs)}\n`)
  return state.outcome
}
