/** The writing end of a stream. */
export interface LineStream {
  write(line: Uint8Array): void
  end(): void
}

/** Most bytes that wait for a client that reads too slowly, beside those of the beginning; then its stream ends. */
const MAX_WAITING = 1024 * 1024

/**
 * A stream of lines that are written as they come, until its reader leaves.
 * @param begin called when the reader begins; returns what to do at the end
 */
export function lineStream(begin: (stream: LineStream) => () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      let waiting: Uint8Array[] = []
      let size = 0
      let begun = false
      let ended = false
      let finish: (() => void) | undefined
      let wake: (() => void) | undefined

      function end(): void {
        if (ended) return
        ended = true
        finish?.()
        wake?.()
      }
      const stream: LineStream = {
        write(line) {
          if (ended) return
          waiting.push(line)
          if (begun) size += line.length
          if (size > MAX_WAITING) end()
          wake?.()
        },
        end,
      }
      finish = begin(stream)
      begun = true
      if (ended) finish()

      return {
        async next() {
          while (waiting.length === 0 && !ended) {
            await new Promise<void>(resolve => {
              wake = resolve
            })
          }
          if (waiting.length === 0 || size > MAX_WAITING) return { done: true, value: undefined }
          const value = Buffer.concat(waiting)
          waiting = []
          size = 0
          return { done: false, value }
        },
        async return() {
          end()
          waiting = []
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** The number of open streams, in all and of each user. */
export interface OpenStreams {
  total(): number
  of(user: string): number
  /** Counts a stream. @returns the end of it, which counts once */
  enter(user: string): () => void
}

/** Counts open streams. */
export function openStreams(): OpenStreams {
  const counts = new Map<string, number>()
  let total = 0
  function add(user: string, change: 1 | -1): void {
    const count = (counts.get(user) ?? 0) + change
    total += change
    if (count === 0) counts.delete(user)
    else counts.set(user, count)
  }
  return {
    total: () => total,
    of: user => counts.get(user) ?? 0,
    enter(user) {
      add(user, 1)
      let left = false
      return () => {
        if (!left) add(user, -1)
        left = true
      }
    },
  }
}
