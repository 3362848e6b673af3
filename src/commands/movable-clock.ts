/** A clock that runs with the real one, and can be set forward. In milliseconds since the epoch. */
export interface MovableClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
  /** How far it is ahead of the real one, in milliseconds. */
  readonly ahead: () => number
}

/** A clock that shows the real time until it is set forward. */
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
