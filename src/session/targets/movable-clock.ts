/** A clock that runs with the real one and can be set forward. Times are milliseconds since the epoch. */
export interface MovableClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** Returns how far the clock is ahead of the real one, in milliseconds. */
  readonly ahead: () => number
  /** True when the clock stands still until it is set forward. */
  readonly still: boolean
}

/** Makes a clock that shows the time of another clock until it is set forward. @param still true when the other clock stands still */
export function movableClock(real: () => number = Date.now, still = false): MovableClock {
  let ahead = 0
  return {
    now: () => real() + ahead,
    advance: ms => {
      ahead += ms
    },
    ahead: () => ahead,
    still,
  }
}
