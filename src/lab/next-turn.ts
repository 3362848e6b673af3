import { setImmediate } from 'node:timers'

let waiting: (() => void)[] = []

function goOn(): void {
  const all = waiting
  waiting = []
  for (const each of all) each()
}

/**
 * Waits until what has come in by now is read. All who wait in the same turn of the event loop go on together, each step
 * taken by all of them before the next: a processor does the same step many times from its caches, where it would have to
 * load every step anew for each request on its own. Under load that is a third of the time of a small answer; one request
 * alone waits for nothing.
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(goOn)
  })
}
