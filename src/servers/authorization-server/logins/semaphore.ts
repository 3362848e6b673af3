/** Runs a task when a place is free. Returns `full` when too many tasks wait already. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result | 'full'>

/** @param options.atOnce number of tasks that run in parallel; @param options.waiting number of tasks that may wait */
export function createSemaphore(options: { readonly atOnce: number; readonly waiting: number }): Semaphore {
  const { atOnce, waiting } = options
  const queue: (() => void)[] = []
  let running = 0
  return async task => {
    if (running < atOnce) running++
    else if (queue.length >= waiting) return 'full'
    // A task that ends passes its place to the next one, so `running` does not change.
    else await new Promise<void>(resolve => queue.push(resolve))
    try {
      return await task()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
