/** Lines that come so soon after a write wait for the next one. Milliseconds. */
const PAUSE = 20

/** Lines on their way out. */
export interface LineBatches {
  add(line: string): void
  /** Writes what still waits. */
  end(): void
}

/**
 * Writing a line costs more than answering a small request does. So a line that comes after a quiet time is written at
 * once, and while many come, those of a moment are written together.
 */
export function batchLines(write: (...lines: readonly string[]) => void): LineBatches {
  let lines: string[] = []
  let pause: NodeJS.Timeout | undefined

  function writeOut(): void {
    const together = lines
    lines = []
    pause = together.length === 0 ? undefined : setTimeout(writeOut, PAUSE)
    if (together.length > 0) write(...together)
  }
  return {
    add(line) {
      lines.push(line)
      if (pause === undefined) writeOut()
    },
    end() {
      clearTimeout(pause)
      pause = undefined
      if (lines.length > 0) write(...lines.splice(0))
    },
  }
}
