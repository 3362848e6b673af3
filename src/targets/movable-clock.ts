/** A clock that runs with the real one and can be set forward. Times are milliseconds since the epoch. */
export interface MovableClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** Returns how far the clock is ahead of the real one, in milliseconds. */
  readonly ahead: () => number
}

/** Makes a clock that shows the real time until it is set forward. */
export function movableClock(real: () => number = Date.now): MovableClock {
  let ahead = 0
  return {
    now: () => real() + ahead,
    advance: ms => {
      ahead += ms
    },
    ahead: () => ahead,
  }
}
