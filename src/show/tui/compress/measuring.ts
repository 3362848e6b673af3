import type { CaseSetting } from '../../../servers/compression/studies/cases.js'
import { caseKey } from '../../render/compression/case.js'
import type { Store } from '../screen/store.js'
import type { CompressOffers } from './offers.js'
import type { Action, CompressState } from './state.js'

/**
 * Makes the function that measures what is not known yet of the cases as they are now. A result that comes after a reset is dropped:
 * it is of another round.
 */
export function createMeasuring(
  store: Store<CompressState, Action>,
  measure: CompressOffers['measure'],
): { readonly missing: () => void; readonly forget: () => void } {
  let round = 0
  const one = (setting: CaseSetting, path: string): void => {
    const mine = round
    const key = caseKey(setting, path)
    store.dispatch({ type: 'result', key, result: { state: 'measuring' } })
    measure(setting, path).then(
      measured => {
        if (mine === round) store.dispatch({ type: 'result', key, result: { state: 'measured', measured } })
      },
      (error: unknown) => {
        const message = error instanceof Error ? error.message : String(error)
        if (mine === round) store.dispatch({ type: 'result', key, result: { state: 'failed', message } })
      },
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
