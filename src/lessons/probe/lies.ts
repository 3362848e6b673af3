import { randomBytes } from 'node:crypto'
import type { ProbeName } from '../model.js'

/** A wrong answer of the server. */
export interface Lie {
  /** Such as `the state of another login`. */
  readonly name: string
  /** The value in the wrong answer; undefined to leave the member out. @param earlier the value of another run */
  readonly value: (right: string, earlier: string) => string | undefined
}

const foreign = (): string => randomBytes(16).toString('base64url')

/** The member of the answer that a probe changes, and three lies about it. The first one needs an earlier run. */
const LIES: Readonly<Record<ProbeName, readonly [Lie, Lie, Lie]>> = {
  state: [
    { name: 'the state of another login', value: (_, earlier) => earlier },
    { name: 'no state at all', value: () => undefined },
    { name: 'a state that nobody sent', value: foreign },
  ],
  iss: [
    { name: 'the issuer of another server', value: () => 'https://as.attacker.example' },
    { name: 'no iss at all', value: () => undefined },
    { name: 'an issuer that begins like the right one', value: right => `${right}.attacker.example` },
  ],
}

/** The order of the runs: three right ones (undefined) and the three lies, shuffled. */
export function shuffledRuns(probe: ProbeName, random: (below: number) => number): (Lie | undefined)[] {
  const [first, ...others] = LIES[probe]
  const runs: (Lie | undefined)[] = [first, ...others, undefined, undefined, undefined]
  for (let i = runs.length - 1; i > 0; i--) {
    const j = random(i + 1)
    const swapped = runs[i]
    runs[i] = runs[j]
    runs[j] = swapped
  }
  // Before the first run there is no other login whose value could be used.
  if (runs[0] === first) runs.reverse()
  return runs
}

/** The address of an answer with one member changed. */
export function lied(address: string, member: string, value: string | undefined): string {
  const url = new URL(address)
  if (value === undefined) url.searchParams.delete(member)
  else url.searchParams.set(member, value)
  return url.href
}
