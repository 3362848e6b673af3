import { bytes } from '../../protocol/http/message.js'
import type { ShownBoard, ShownPerson } from './model.js'

/** Milliseconds between two boards: at most four a second. */
const PACE = 250

/** Milliseconds after which a board is sent although nothing changed: who is slow depends on the time. */
const REFRESH = 10_000

/** The JSON of each row. For 300 people with ten lessons each it takes 10 to 20 ms, and every opened board needs all of it (npm run bench -- workshop). */
const texts = new WeakMap<ShownPerson, string>()

function textOf(person: ShownPerson): string {
  const text = texts.get(person) ?? JSON.stringify(person)
  texts.set(person, text)
  return text
}

/** Writes a board as a `BoardMessage`. @param seen the board that the reader has */
function written({ lessons, people, ...rest }: ShownBoard, seen: ShownBoard | undefined): Uint8Array {
  const had = new Set(seen?.people)
  const rows = people.filter(person => !had.has(person)).map(textOf)
  const head = seen ? { type: 'changes', ...rest } : { type: 'board', ...rest, lessons }
  return bytes(`data: ${JSON.stringify(head).slice(0, -1)},"people":[${rows.join(',')}]}\n\n`)
}

/**
 * Makes the streams of the board. Each board is made once for all who watch. A reader that is slow misses boards, and gets what changed since the one that
 * it has: the next one is made when it is asked for.
 * @param view makes the board; a row that did not change is the same object
 * @param subscribe calls its argument whenever the board changes
 * @param now milliseconds since the epoch
 * @returns a function that opens a stream; its argument is called at the beginning, and what that returns at the end
 */
export function boardStream(
  view: () => ShownBoard,
  subscribe: (changed: () => void) => void,
  now: () => number,
): (enter: () => () => void) => AsyncIterable<Uint8Array> {
  let version = 1
  const waiting = new Set<() => void>()
  subscribe(() => {
    version += 1
    for (const wake of waiting) wake()
  })
  let newest: { readonly version: number; readonly at: number; readonly board: ShownBoard } | undefined

  function latest(): { readonly version: number; readonly board: ShownBoard } {
    const at = now()
    const isFresh = newest?.version === version && Math.abs(at - newest.at) < PACE
    if (newest === undefined || !isFresh) newest = { version, at, board: view() }
    return newest
  }

  return enter => ({
    [Symbol.asyncIterator]() {
      const leave = enter()
      let sent: ReturnType<typeof latest> | undefined
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
          if (sent !== undefined) {
            await pause(PACE, false)
            if (sent.version === version && !ended) await pause(REFRESH, true)
          }
          if (ended) return { done: true, value: undefined }
          const former = sent?.board
          sent = latest()
          return { done: false, value: written(sent.board, former) }
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
