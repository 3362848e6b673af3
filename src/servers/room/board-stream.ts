import { bytes } from '../../protocol/http/message.js'

/** Milliseconds between two boards: at most four a second. */
const PACE = 250

/** Milliseconds after which a board is sent although nothing changed: who is slow depends on the time. */
const REFRESH = 10_000

/**
 * Makes the streams of the board. Each board is written once for all who watch. A reader that is slow misses boards, and gets the newest: the next one
 * is made when it is asked for.
 * @param view makes what is sent of the board
 * @param subscribe calls its argument whenever the board changes
 * @param now milliseconds since the epoch
 * @returns a function that opens a stream; its argument is called at the beginning, and what that returns at the end
 */
export function boardStream(
  view: () => object,
  subscribe: (changed: () => void) => void,
  now: () => number,
): (enter: () => () => void) => AsyncIterable<Uint8Array> {
  let version = 1
  const waiting = new Set<() => void>()
  subscribe(() => {
    version += 1
    for (const wake of waiting) wake()
  })
  let written: { readonly version: number; readonly at: number; readonly message: Uint8Array } | undefined

  function latest(): { readonly version: number; readonly message: Uint8Array } {
    const at = now()
    const isFresh = written?.version === version && Math.abs(at - written.at) < PACE
    if (written === undefined || !isFresh) {
      const message = bytes(`data: ${JSON.stringify({ type: 'board', ...view() })}\n\n`)
      written = { version, at, message }
    }
    return written
  }

  return enter => ({
    [Symbol.asyncIterator]() {
      const leave = enter()
      let sent = 0
      let ended = false
      let wake: (() => void) | undefined

      /** Waits for milliseconds, until the end of this stream, and where asked until a change. */
      const pause = (ms: number, untilChange: boolean) =>
        new Promise<void>(resolve => {
          const timer = setTimeout(done, ms)
          function done(): void {
            clearTimeout(timer)
            waiting.delete(done)
            resolve()
          }
          wake = done
          if (untilChange) waiting.add(done)
        })

      return {
        async next() {
          if (sent > 0) {
            await pause(PACE, false)
            if (sent === version && !ended) await pause(REFRESH, true)
          }
          if (ended) return { done: true, value: undefined }
          const { version: newest, message } = latest()
          sent = newest
          return { done: false, value: message }
        },
        async return() {
          if (!ended) leave()
          ended = true
          wake?.()
          return { done: true, value: undefined }
        },
      }
    },
  })
}
