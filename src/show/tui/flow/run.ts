import type { Outcome, PlannedStep } from '../../../flows/step.js'
import type { ShownWeak } from '../../../protocol/rules/weak-modes.js'
import { type Signs, signsFor } from '../../render/text/signs.js'
import { foreign } from '../../render/text/spans.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import { hear, hearElsewhere } from './changes.js'
import { frameOf, ticks } from './frame.js'
import { flowKeys } from './keys.js'
import type { SuggestedUser } from './login.js'
import { type FlowOffers, NO_OFFERS, type StartFlow } from './offers.js'
import { createRunner } from './runner.js'
import { entriesOf, type FlowState, initialState } from './state.js'

/** One plain line for the scrollback: what became of the flow. */
function lastLine(state: FlowState, command: string, clientId: string, signs: Signs): string {
  const { outcome, steps } = state
  const name = `${command} ${foreign(clientId, signs)}`
  if (outcome === undefined) {
    const last = steps.at(-1)
    return last === undefined
      ? `${name}: left before the first step`
      : `${name}: left after step ${last.n} of ${last.of}, ${foreign(last.title, signs)}`
  }
  if (outcome.logged_out) return foreign(`${signs.done} ${name}: logged out`, signs)
  if (outcome.outcome === 'granted') {
    const { token_type: type, expires_in: lifetime, scope } = outcome.tokens ?? {}
    const details = [type, lifetime === undefined ? undefined : `${lifetime} s`, scope && `scope ${scope}`]
    const text = details.filter(detail => detail !== undefined && detail !== '').join(', ')
    return foreign(`${signs.done} ${name}: granted${text === '' ? '' : `, ${text}`}`, signs)
  }
  const { error, error_description: description, rule } = outcome.error ?? {}
  const at = entriesOf(state).find(({ status }) => status === 'refused')
  const place = at === undefined ? '' : ` at step ${at.n}`
  const because = [error, description].filter(text => text !== undefined).join(': ')
  const ruled = rule === undefined ? '' : ` (${rule})`
  return foreign(`${signs.refused} ${name}: ${outcome.outcome}${place}: ${because}${ruled}`, signs)
}

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
  const begun = initialState(plan, options.showSecrets, options.weak)
  const store = createStore<FlowState>({ ...begun, shownOnly: options.offers === undefined })
  const signal = await showScreen(options, flowKeys, finish => {
    const runner = createRunner({
      store,
      start: options.start,
      suggestedUser,
      ...('offer' in offers.clock && { clockAhead: offers.clock.offer.ahead }),
      onError: error => finish({ error }),
    })
    const listen = 'offer' in offers.server ? offers.server.offer : undefined
    const hush = listen?.(event =>
      store.update(state => (offers.elsewhere ? hearElsewhere : hear)(state, event)),
    )
    const hasClipboard = options.hasClipboard === true
    return {
      store,
      now,
      ports: { runner, hasClipboard, context: () => ({ ...context, now: now() }) },
      frame: (state, size, time) => frameOf(state, size, { ...context, now: time }),
      ticks,
      async close() {
        hush?.()
        await runner.stop()
      },
    }
  })
  const state = store.get()
  if (signal !== 'SIGHUP') stdout.write(`${lastLine(state, command, clientId, signs)}\n`)
  return state.outcome
}
