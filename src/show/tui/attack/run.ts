import type { AttackData, AttackOutcome } from '../../../judge/attacks/model.js'
import type { WeakName } from '../../../protocol/rules/weak-modes.js'
import { signsFor } from '../../render/text/signs.js'
import type { ScreenTerminal } from '../screen/show-screen.js'
import { showScreen } from '../screen/show-screen.js'
import { createStore } from '../screen/store.js'
import { frameOf } from './frame.js'
import { createAttackPress } from './press.js'
import { createRunner, type StartRun } from './runner.js'
import { type AttackState, initialState, reduce, type Side } from './state.js'

/** How an attack is shown. */
export interface AttackScreenOptions extends ScreenTerminal {
  readonly attack: AttackData
  /** The weak modes of the weak lab. */
  readonly weak: readonly WeakName[]
  /** The lab that the first run attacks. */
  readonly side: Side
  readonly start: StartRun
  /** Hosts of running labs, for the sides that have one. */
  readonly at?: Readonly<Partial<Record<Side, string>>>
  readonly ascii: boolean
}

/**
 * Shows an attack in the alternate screen of the terminal until the person leaves it.
 * @returns the outcome of the last run; undefined when it has not ended
 */
export async function runAttackScreen(options: AttackScreenOptions): Promise<AttackOutcome | undefined> {
  const { attack, weak, side, at, start } = options
  const signs = signsFor(options)
  const store = createStore(reduce, initialState(attack, weak, side, at))
  await showScreen<AttackState>(options, ({ finish, suspend }) => {
    const runner = createRunner(store, start, error => finish({ error }))
    return {
      store,
      now: Date.now,
      frame: (shown, size) => frameOf(shown, size, signs),
      press: createAttackPress({
        store,
        runner,
        suspend,
        quit: interrupted => finish(interrupted ? { signal: 'SIGINT' } : {}),
      }),
      ticks: () => false,
      close: runner.close,
    }
  })
  const { runs, side: last } = store.get()
  return runs[last].outcome
}
