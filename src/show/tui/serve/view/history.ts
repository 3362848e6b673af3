/** Number of entries in a block: adding one copies a block, never the whole history. */
const BLOCK = 64

/**
 * The latest entries of something that never ends. Each has a number that it keeps: the first one ever is 0. Values
 * are never changed; adding returns a new history that shares all full blocks with the old one.
 */
export interface History<T> {
  /** Number of entries that are kept at least; fewer than a block more are kept too. */
  readonly limit: number
  /** Number of the oldest entry that is kept. */
  readonly first: number
  /** Number of the next entry. */
  readonly end: number
  readonly blocks: ReadonlyArray<readonly T[]>
}

/** A history without entries. */
export function emptyHistory<T>(limit: number): History<T> {
  return { limit, first: 0, end: 0, blocks: [] }
}

/** How many entries are kept now. */
export function size({ first, end }: History<unknown>): number {
  return end - first
}

/** The history with one entry more; the oldest block is dropped when the others are enough. */
export function push<T>(history: History<T>, entry: T): History<T> {
  const { limit, first, end } = history
  const enough = end + 1 - first - BLOCK >= limit
  const blocks = enough ? history.blocks.slice(1) : history.blocks
  const last = blocks.at(-1)
  const added =
    last !== undefined && last.length < BLOCK
      ? [...blocks.slice(0, -1), [...last, entry]]
      : [...blocks, [entry]]
  return { limit, first: enough ? first + BLOCK : first, end: end + 1, blocks: added }
}

/** The entry of that number; undefined when it was dropped, or is not there yet. */
export function entryAt<T>({ first, end, blocks }: History<T>, n: number): T | undefined {
  if (n < first || n >= end) return undefined
  return blocks[Math.floor((n - first) / BLOCK)]?.[(n - first) % BLOCK]
}

/** The history with another entry under a number that is kept; else as it was. */
export function replaceAt<T>(history: History<T>, n: number, entry: T): History<T> {
  const { first, end, blocks } = history
  if (n < first || n >= end) return history
  const block = Math.floor((n - first) / BLOCK)
  return {
    ...history,
    blocks: blocks.map((each, i) =>
      i === block ? each.map((old, j) => (j === (n - first) % BLOCK ? entry : old)) : each,
    ),
  }
}

/** The number of the latest entry that fits, among the latest `depth`. */
export function findLatest<T>(
  history: History<T>,
  fits: (entry: T) => boolean,
  depth = Number.POSITIVE_INFINITY,
): number | undefined {
  const until = Math.max(history.first, history.end - depth)
  for (let n = history.end - 1; n >= until; n--) if (fits(entryAt(history, n)!)) return n
  return undefined
}

/** Changes the latest entry that fits; where none does, the history stays as it was. */
export function changeLatest<T>(
  history: History<T>,
  fits: (entry: T) => boolean,
  change: (entry: T) => T,
): History<T> {
  const n = findLatest(history, fits)
  return n === undefined ? history : replaceAt(history, n, change(entryAt(history, n)!))
}

/** Changes every entry that is kept. */
export function changeAll<T>(history: History<T>, change: (entry: T) => T): History<T> {
  return { ...history, blocks: history.blocks.map(block => block.map(change)) }
}

/** All entries that are kept, oldest first. */
export function entries<T>({ blocks }: History<T>): T[] {
  return blocks.flat()
}
