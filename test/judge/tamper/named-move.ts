import type { Move } from '../../../src/judge/tamper/move.js'
import { findMove } from '../../../src/judge/tamper/moves.js'

/** The move of that name. @throws Error where there is none */
export function move(name: string): Move {
  const found = findMove(name)
  if (!found) throw new Error(`no move ${name}`)
  return found
}

/** The move of that name, which changes this message. @throws Error where it changes another one */
export function moveAt<At extends Move['at']>(name: string, at: At): Extract<Move, { readonly at: At }> {
  const found = move(name)
  if (found.at !== at) throw new Error(`${name} changes another message`)
  return found as Extract<Move, { readonly at: At }>
}
