import { setImmediate } from 'node:timers'

let waiting: (() => void)[] = []

function resume(): void {
  const all = waiting
  waiting = []
  for (const each of all) each()
}

/**
 * Waits until the event loop has read everything that arrived. Requests of the same turn then take each step together, so the
 * processor keeps the code of a step in its caches. A request that is alone does not wait.
 *
 * Without it an RS256 token takes 15 % more processor time of the server (test/bench, eight connections, Node 20, six interleaved
 * runs: 5 to 20 %).
 */
export function nextTurn(): Promise<void> {
  return new Promise(resolve => {
    if (waiting.push(resolve) === 1) setImmediate(resume)
  })
}
