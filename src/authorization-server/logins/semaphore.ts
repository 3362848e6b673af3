/** Runs a task when there is room for it; `full` when too many wait already. */
export type Semaphore = <Result>(task: () => Promise<Result>) => Promise<Result | 'full'>

/** @param options.atOnce how many tasks run side by side; @param options.waiting how many more may wait */
export function createSemaphore(options: { readonly atOnce: number; readonly waiting: number }): Semaphore {
  const { atOnce, waiting } = options
  const queue: (() => void)[] = []
  let running = 0
  return async task => {
    if (running < atOnce) running++
    else if (queue.length >= waiting) return 'full'
    // A finished task hands its place on, so `running` stays the same.
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
