import { createInterface } from 'node:readline'

/** The lines that a person types on stdin. */
export interface TypedLines {
  /** Returns the next line without blanks around it; undefined after the last one, or once the signal is aborted. */
  next(): Promise<string | undefined>
  /** Leaves stdin to another program, until the next call of `next`. */
  pause(): void
  close(): void
}

/** Reads stdin line by line, until `close` or until the signal is aborted. */
export function typedLines(signal: AbortSignal): TypedLines {
  const reader = createInterface({ input: process.stdin })
  const early: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let closed = false

  function hand(line: string | undefined): void {
    const receive = waiting
    waiting = undefined
    if (receive) receive(line)
    else if (line !== undefined) early.push(line)
  }
  const close = () => reader.close()
  reader.on('line', line => hand(line.trim()))
  reader.once('close', () => {
    closed = true
    hand(undefined)
  })
  if (signal.aborted) close()
  signal.addEventListener('abort', close, { once: true })
  return {
    next() {
      const line = early.shift()
      if (line !== undefined || closed) return Promise.resolve(line)
      reader.resume()
      return new Promise(resolve => {
        waiting = resolve
      })
    },
    pause() {
      if (!closed) reader.pause()
    },
    close() {
      signal.removeEventListener('abort', close)
      close()
    },
  }
}

/** Longest line that is read, in characters. */
const MAX_LINE = 200

/**
 * Reads stdin line by line until it ends. Characters beyond the 200th of a line are dropped. A terminal is not read, because the
 * system stops a program in the background that reads from one.
 * @returns a function that stops reading
 */
export function watchLines(take: (line: string) => void): () => void {
  const { stdin } = process
  if (stdin.isTTY) return () => {}
  let rest = ''
  const data = (chunk: string): void => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()!.slice(-MAX_LINE)
    for (const line of lines) take(line.slice(0, MAX_LINE))
  }
  stdin.setEncoding('utf8').on('data', data)
  // An unreadable stdin has no lines. The program goes on.
  stdin.on('error', () => {})
  return () => {
    stdin.off('data', data).destroy()
  }
}
