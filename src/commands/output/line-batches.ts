/** Time after a write during which lines wait for the next write, in milliseconds. */
export const PAUSE = 2

/** Items to write, a line each. */
export interface LineBatches<Item> {
  add(item: Item): void
  /** Writes the lines that still wait. */
  end(): void
}

/**
 * Batches lines, because writing a line costs more than answering a small request. A line after a quiet time is written
 * at once. While many come, the lines of a moment are made and written together.
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
