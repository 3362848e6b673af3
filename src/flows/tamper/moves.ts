import { answerMoves } from './answer-moves.js'
import { authorizationMoves } from './authorization-moves.js'
import type { Move, Refusal, Situation } from './move.js'
import { presentationMoves } from './presentation-moves.js'
import { tokenMoves } from './token-moves.js'

/** Every named wrong move, in the order of a flow. */
export const moves: readonly Move[] = [
  ...authorizationMoves,
  ...answerMoves,
  ...tokenMoves,
  ...presentationMoves,
]

/** The move of that name. */
export function findMove(name: string): Move | undefined {
  return moves.find(each => each.name === name)
}

/** Why a move cannot be made here; undefined where it can. */
export function whyNotHere(move: Move, situation: Situation): string | undefined {
  if (move.at === 'userinfo_request' && situation.presentAt === undefined) {
    return 'there is no userinfo endpoint to show a token at'
  }
  if (move.wait !== undefined && (situation.advance === undefined || situation.lifetimes === undefined)) {
    return 'the clock of this server is not ours to set'
  }
  return move.notHere?.(situation)
}

function written({ by, status, errors: [code] }: Refusal): string {
  switch (by) {
    case 'page':
      return 'an error page, and no redirect'
    case 'redirect':
      return `${code}, by redirect`
    case 'client':
      return `${code}, by the client`
    default:
      return [code ?? status?.join(' or ')].join(' ')
  }
}

/** The refusal that a move expects, in words: `invalid_grant`, `an error page, and no redirect`. */
export function expectation({ expects }: Move): string {
  return [...new Set(expects.map(written))].join('; or ')
}
