import type { Outcome, PlannedStep } from '../../../flows/step.js'
import type { LabEvent } from '../../../protocol/events.js'
import type { ShownWeak } from '../../../protocol/rules/weak-modes.js'
import { signsFor } from '../../render/text/signs.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import { copyOf, copyOut } from './copy.js'
import { frameOf, ticks } from './frame.js'
import { lastLine } from './last-line.js'
import type { SuggestedUser } from './login-form.js'
import type { FlowOffers } from './offers.js'
import { NO_OFFERS } from './offers.js'
import { createFlowPress } from './press.js'
import { reduce } from './reducer.js'
import type { StartFlow } from './runner.js'
import { createRunner } from './runner.js'
import type { FlowState } from './state.js'
import { initialState } from './state.js'

/** The content of the flow screen, and the start of its flow. */
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
  /** The weak modes of the lab; default none. */
  readonly weak?: readonly ShownWeak[]
  readonly ascii: boolean
  /** Fills the login panel in, so that Enter alone logs in. */
  readonly suggestedUser?: SuggestedUser
  /** Its further functions; default: only show. */
  readonly offers?: FlowOffers
  /** True when the terminal is known to keep a clipboard. */
  readonly hasClipboard?: boolean
}

/**
 * Steps through a flow on the terminal, in the alternate screen, until the person leaves it. Then one line on stdout
 * reports the outcome.
 * @returns the outcome; undefined when the person left before the end. Ctrl-C and signals set `process.exitCode`
 * @throws what the flow throws, once the terminal is restored
 */
export async function runFlowScreen(options: FlowScreenOptions): Promise<Outcome | undefined> {
  const { stdout = process.stdout, plan, now } = options
  const { command, clientId, issuer, suggestedUser, offers = NO_OFFERS } = options
  const signs = signsFor(options)
  const context = { command, clientId, issuer, signs, offers }
  const store = createStore(reduce, initialState(plan, options.showSecrets, options.weak))
  const hear = (event: LabEvent): void => store.dispatch({ type: 'server', event })
  const report = (message: { text: string; good: boolean }): void =>
    store.dispatch({ type: 'message', ...message })
  const signal = await showScreen<FlowState>(options, ({ finish, suspend, emit }) => {
    const runner = createRunner({
      store,
      start: options.start,
      suggestedUser,
      ...('offer' in offers.clock && { clockAhead: offers.clock.offer.ahead }),
      onError: error => finish({ error }),
    })
    const hush = 'why' in offers.server ? undefined : offers.server.offer(hear)
    const copyPorts = { keepCopy: offers.keepCopy, emit, sure: options.hasClipboard === true }
    const copy = (): void => {
      const what = copyOf(store.get())
      if (what === undefined) report({ text: 'there is nothing to copy in this pane', good: false })
      else void copyOut(what, copyPorts).then(report)
    }
    return {
      store,
      now,
      frame: (state, size, time) => frameOf(state, size, { ...context, now: time }),
      press: createFlowPress({
        store,
        runner,
        context: () => ({ ...context, now: now() }),
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
        suspend,
        copy,
        fail: error => finish({ error }),
      }),
      ticks,
      close: async () => {
        hush?.()
        await runner.stop()
      },
    }
  })
  const state = store.get()
  if (signal !== 'SIGHUP') stdout.write(`${lastLine(state, command, clientId, signs)}\n`)
  return state.outcome
}
