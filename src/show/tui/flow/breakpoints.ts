import type { PressPorts } from './press-ports.js'

/** Breaks before every request from now on, or before none. */
export function breakAlways({ store, context }: Pick<PressPorts, 'store' | 'context'>): void {
  const { gate } = context().offers
  if ('why' in gate) {
    store.dispatch({ type: 'message', text: gate.why, good: false })
    return
  }
  const breaks = store.get().breaks === 'always' ? 'never' : 'always'
  store.dispatch({ type: 'breaks', breaks })
  const text =
    breaks === 'always' ? 'every request waits for a person before it is sent' : 'no request waits any more'
  store.dispatch({ type: 'message', text, good: true })
}
