/** Lines that come so soon after a write wait for the next one. Milliseconds. */
export const PAUSE = 2

/** What is to be written, a line each. */
export interface LineBatches<Item> {
  add(item: Item): void
  /** Writes what still waits. */
  end(): void
}

/**
 * Writing a line costs more than answering a small request does. So a line that comes after a quiet time is written at
 * once, and while many come, those of a moment are made and written together.
 * @param line makes the line of an item
 */
export function batchLines<Item>(
  write: (...lines: readonly string[]) => void,
  line: (item: Item) => string,
): LineBatches<Item> {
  let items: Item[] = []
  let pause: NodeJS.Timeout | undefined

  function writeAll(): void {
    const together = items
    items = []
    if (together.length > 0) write(...together.map(line))
  }
  function writeOut(): void {
    pause = items.length === 0 ? undefined : setTimeout(writeOut, PAUSE)
    writeAll()
  }
  return {
    add(item) {
      items.push(item)
      if (pause === undefined) writeOut()
    },
    end() {
      clearTimeout(pause)
      pause = undefined
      writeAll()
    },
  }
}
