import type { AttackRecord } from '../../../judge/attacks/model.js'
import type { Store } from '../screen/store.js'
import { type AttackState, recorded, type Side, started } from './state.js'

/** Starts a run of the attack at a lab of one side. */
export type StartRun = (side: Side) => AsyncGenerator<AttackRecord, void, void>

/** The runs of a screen, one at a time. */
export interface AttackRunner {
  /** Takes the next step of the current run. */
  step(): void
  /** Takes every step to the end of the current run. */
  finish(): void
  /** Begins at the other lab, and takes every step. The run that was under way is given up. */
  toggle(): void
  /** Ends the run that is under way, and its lab. */
  close(): Promise<void>
}

/**
 * Makes the runner of a screen.
 * @param failed called with an error that is no end of an attack
 */
export function createRunner(
  { get, update }: Store<AttackState>,
  start: StartRun,
  failed: (error: unknown) => void,
): AttackRunner {
  let records: AsyncGenerator<AttackRecord, void, void> | undefined
  let busy = false
  let toEnd = false
  // A run that was given up must not report any more.
  let turn = 0

  async function pull(): Promise<void> {
    if (busy) return
    const mine = turn
    const { side } = get()
    records ??= start(side)
    const current = records
    busy = true
    update(state => ({ ...state, busy }))
    try {
      do {
        const { value: record, done } = await current.next()
        if (mine !== turn || done) return
        update(state => recorded(state, side, record))
      } while (toEnd && get().runs[side].outcome === undefined)
      // The generator stops its lab when it is asked once more.
      if (get().runs[side].outcome) await current.next()
    } catch (error) {
      failed(error)
    } finally {
      if (mine === turn) {
        busy = false
        update(state => ({ ...state, busy }))
      }
    }
  }

  async function giveUp(): Promise<void> {
    const former = records
    records = undefined
    turn += 1
    busy = false
    toEnd = false
    await former?.return().catch(failed)
  }

  return {
    step: () => void pull(),
    finish() {
      toEnd = true
      void pull()
    },
    toggle() {
      void giveUp()
      update(state => started(state, state.side === 'weak' ? 'strict' : 'weak'))
      toEnd = true
      void pull()
    },
    close: giveUp,
  }
}
