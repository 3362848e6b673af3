/** Gathers what comes fast: of many calls within `pause` milliseconds the first and the last count. */
export interface Coalesced {
  readonly call: () => void
  /** Forgets what was not done yet. */
  readonly stop: () => void
}

/** Does `work` at once, and then at most every `pause` milliseconds, for as long as it is asked for. */
export function coalesce(work: () => void, pause: number): Coalesced {
  let timer: NodeJS.Timeout | undefined
  let wanted = false
  const rest = (): void => {
    timer = undefined
    if (!wanted) return
    run()
  }
  const run = (): void => {
    wanted = false
    timer = setTimeout(rest, pause)
    work()
  }
  return {
    call: () => {
      if (timer === undefined) run()
      else wanted = true
    },
    stop: () => {
      clearTimeout(timer)
      timer = undefined
      wanted = false
    },
  }
}
