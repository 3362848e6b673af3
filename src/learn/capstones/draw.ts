import { createHash, randomInt } from 'node:crypto'
import { seededRandom } from '../../lab/seeded-random.js'

/** As many digits as `--seed` takes at least. */
const SEEDS = 1_000_000_000

/** Always the same for a name, and another one for a neighbour. */
export function seedOf(learner: string): number {
  return createHash('sha256').update(`oauth-lab capstone ${learner}`).digest().readUIntBE(0, 6) % SEEDS
}

/** The learner's seed, or a random one. */
export const usualSeed = (learner: string | undefined): number =>
  learner === undefined ? randomInt(1_000_000) : seedOf(learner)

/** Repeats with its seed. */
export interface Draw {
  /** A whole number from 0, less than `limit`. */
  below(limit: number): number
  one<Item>(items: readonly Item[]): Item
  shuffled<Item>(items: readonly Item[]): Item[]
}

/** @param purpose keeps the draws of two capstones with one seed apart */
export function drawsOf(seed: number, purpose: string): Draw {
  const random = seededRandom(seedOf(`${purpose} ${seed}`))
  const below = (limit: number): number => Buffer.from(random(6)).readUIntBE(0, 6) % limit
  const one = <Item>(items: readonly Item[]): Item => {
    const item = items[below(items.length)]
    if (item === undefined) throw new RangeError('nothing to draw from')
    return item
  }
  return {
    below,
    one,
    shuffled(items) {
      const left = [...items]
      return items.flatMap(() => left.splice(below(left.length), 1))
    },
  }
}
