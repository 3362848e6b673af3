import type { Gate, RequestPart } from '../../../flows/middleware/gate.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import type { FlowState } from './state.js'

/** The things that a run waits for; set while it does. */
interface Waits {
  readonly release?: ((parts: readonly RequestPart[]) => void) | undefined
  readonly retry?: ((again: boolean) => void) | undefined
}

/**
 * The gate of one run: holds its requests when the state asks for that, until they are released.
 * @param waitFor receives the function that continues the run while it waits for a person
 */
export function createGate(
  store: Store<FlowState, Action>,
  signal: AbortSignal,
  waitFor: (waits: Waits) => void,
): Gate {
  /** Ends with the run at the latest. */
  const untilEnded = <Result>(begin: (resolve: (result: Result) => void) => void, atEnd: Result) =>
    new Promise<Result>(resolve => {
      if (signal.aborted) {
        resolve(atEnd)
        return
      }
      signal.addEventListener('abort', () => resolve(atEnd), { once: true })
      begin(resolve)
    })
  const { run } = store.get()
  return {
    answered({ request: { id } }) {
      if (id !== undefined) store.dispatch({ type: 'sent', run, request: id })
    },
    async hold(request) {
      const { breaks, until } = store.get()
      if (signal.aborted || breaks === 'never' || until !== undefined) return request.parts
      return untilEnded<readonly RequestPart[]>(resolve => {
        waitFor({
          release: parts => {
            waitFor({ release: undefined })
            store.dispatch({ type: 'released' })
            resolve(parts)
          },
        })
        store.dispatch({ type: 'held', request })
      }, request.parts)
    },
    async noAnswer(why) {
      if (signal.aborted) return false
      return untilEnded<boolean>(resolve => {
        waitFor({
          retry: again => {
            waitFor({ retry: undefined })
            store.dispatch({ type: 'noAnswer' })
            resolve(again)
          },
        })
        store.dispatch({ type: 'noAnswer', why })
      }, false)
    },
  }
}
