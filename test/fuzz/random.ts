/** Random choices that one seed repeats. */
export interface Random {
  /** A whole number from 0 to `below` - 1. */
  readonly int: (below: number) => number
  /** True with this probability, 0 to 1. */
  readonly chance: (probability: number) => boolean
  readonly pick: <Item>(items: readonly Item[]) => Item
  readonly bytes: (length: number) => Buffer
}

/** Makes the choices of one seed, by the generator mulberry32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (below: number) => Math.floor(next() * below)
  return {
    int,
    chance: probability => next() < probability,
    pick: items => items[int(items.length)]!,
    bytes: length => Buffer.from(Array.from({ length }, () => int(256))),
  }
}
