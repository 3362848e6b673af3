import { makeSafe } from '../../../protocol/safe-output/safe.js'

/** A wrong move as the list of moves shows it. */
export interface ShownMove {
  readonly name: string
  readonly does: string
  /** The refusal that the move expects. */
  readonly expects: string
  readonly rule: string
  /** The damage where the move is not refused. */
  readonly risk: string
  /** The flows in which the move can be made. */
  readonly flows: string
}

/** Wrong moves as text: four lines each, and an empty one after them. */
export function moveLines(moves: readonly ShownMove[], signs: { readonly ascii: boolean }): string[] {
  const columns = Math.max(...moves.map(({ name }) => name.length)) + 2
  const indent = ' '.repeat(columns)
  return moves.flatMap(({ name, does, expects, rule, risk, flows }) => {
    const lines = [
      `${name.padEnd(columns)}${does}`,
      `${indent}expects ${expects}  (${rule})`,
      `${indent}else ${risk}`,
      `${indent}in   ${flows}`,
    ]
    return [...lines.map(line => makeSafe(line, signs)), '']
  })
}
