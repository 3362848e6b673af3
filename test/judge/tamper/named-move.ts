import type { Move } from '../../../src/judge/tamper/move.js'
import { findMove } from '../../../src/judge/tamper/moves.js'

/** The move of that name. @throws Error where there is none */
export function move(name: string): Move {
  const found = findMove(name)
  if (!found) throw new Error(`no move ${name}`)
  return found
}
