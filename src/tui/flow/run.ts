import type { Outcome, PlannedStep } from '../../flows/step.js'
import { signsFor } from '../../render/signs.js'
import { tokenTicks } from '../../render/token-lines.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import type { Size } from '../screen/size.js'
import { arrangementOf } from '../screen/size.js'
import { createStore } from '../screen/store.js'
import { frameOf } from './frame.js'
import { lastLine } from './last-line.js'
import type { SuggestedUser } from './login-form.js'
import { shownToken } from './pane-lines.js'
import { createPress } from './press.js'
import { reduce } from './reducer.js'
import type { StartFlow } from './runner.js'
import { createRunner } from './runner.js'
import type { FlowState } from './state.js'
import { initialState } from './state.js'

/** What the flow screen shows, and how it begins a flow. */
export interface FlowScreenOptions extends ScreenTerminal {
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
}

/** Whether a countdown can be seen. */
function ticks(state: FlowState, size: Size): boolean {
  const arrangement = arrangementOf(size)
  if (state.help || state.login || arrangement === 'tooSmall') return false
  const token = shownToken(state)
  return token !== undefined && tokenTicks(token) && (arrangement === 'wide' || state.lower === 'token')
}

/**
 * Steps through a flow on the terminal, in the alternate screen, until the person leaves it. Then one line on stdout
 * tells what happened.
 * @returns the outcome; undefined when the person left before the end. Ctrl-C and signals set `process.exitCode`
 * @throws what the flow throws, once the terminal is restored
 */
export async function runFlowScreen(options: FlowScreenOptions): Promise<Outcome | undefined> {
  const { stdout = process.stdout, plan, now } = options
  const { command, clientId, issuer, suggestedUser } = options
  const signs = signsFor(options)
  const context = { command, clientId, issuer, signs }
  const store = createStore(reduce, initialState(plan, options.showSecrets))
  const signal = await showScreen<FlowState>(options, ({ finish, suspend }) => {
    const runner = createRunner({
      store,
      start: options.start,
      suggestedUser,
      onError: error => finish({ error }),
    })
    return {
      store,
      now,
      frame: (state, size, time) => frameOf(state, size, { ...context, now: time }),
      press: createPress({
        store,
        runner,
        context: () => ({ ...context, now: now() }),
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
        suspend,
      }),
      ticks,
      close: runner.stop,
    }
  })
  const state = store.get()
  if (signal !== 'SIGHUP') stdout.write(`${lastLine(state, command, clientId, signs)}\n`)
  return state.outcome
}
