import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { type CaseResult, caseKey } from '../../render/compression/case-lines.js'
import { signsFor } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { screenFrame, tableHintLine } from '../screen/frame.js'
import { type ScreenTerminal, showScreen } from '../screen/show-screen.js'
import type { Size } from '../screen/size.js'
import { createStore, type Store } from '../screen/store.js'
import type { EndingSignal } from '../screen/terminal.js'
import { COMPRESS_KEYS, type CompressOffers, compressKeys, exportsOf } from './keys.js'
import { type FrameContext, panes } from './panes.js'
import { type CompressState, initialState } from './state.js'

/** The frame: what the terminal shows of the compression lab. */
export function frameOf(state: CompressState, size: Size, context: FrameContext): Line[] {
  return screenFrame(state, size, context.signs, {
    keys: COMPRESS_KEYS,
    notes: ['e and p change the selected case; r brings A to E back as they were'],
    menu: state.menu && exportsOf(state, context.now),
    panes: () => [...panes(state, size, context), tableHintLine(COMPRESS_KEYS, state, size, context.signs)],
  })
}

/**
 * Makes the function that measures what is not known yet of the cases as they are now. A result that comes after a reset is dropped:
 * it is of another round.
 */
function createMeasuring(
  store: Store<CompressState>,
  measure: CompressOffers['measure'],
): { readonly missing: () => void; readonly forget: () => void } {
  let round = 0
  const one = (setting: CaseSetting, path: string): void => {
    const mine = round
    const key = caseKey(setting, path)
    const keep = (result: CaseResult): void => {
      if (mine !== round) return
      store.update(state => ({ ...state, results: { ...state.results, [key]: result } }))
    }
    keep({ state: 'measuring' })
    measure(setting, path).then(
      measured => keep({ state: 'measured', measured }),
      (error: unknown) =>
        keep({ state: 'failed', message: error instanceof Error ? error.message : String(error) }),
    )
  }
  return {
    missing() {
      const { path } = store.get()
      for (const each of store.get().cases) {
        const known = store.get().results[caseKey(each, path)]
        if (known === undefined || known.state === 'failed') one(each, path)
      }
    },
    forget() {
      round += 1
    },
  }
}

/** How the compression lab is shown. */
export interface CompressOptions extends ScreenTerminal {
  readonly offers: CompressOffers
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly ascii: boolean
}

/**
 * Shows the compression lab in the alternate screen of the terminal until the person leaves it.
 * @returns the signal that ended it, if any
 */
export async function runCompress(options: CompressOptions): Promise<EndingSignal | undefined> {
  const { offers, now } = options
  const signs = signsFor(options)
  const store = createStore(initialState(offers.cases, offers.paths[0] ?? '/'))
  const { missing, forget } = createMeasuring(store, offers.measure)
  const context = (): FrameContext => ({ signs, server: offers.server, now: now() })
  return showScreen(options, compressKeys, () => {
    missing()
    return {
      store,
      now,
      ports: { offers, context, measure: missing, forget },
      frame: (state, size) => frameOf(state, size, context()),
      close: forget,
    }
  })
}
