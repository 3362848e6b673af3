import type { ShownMove } from '../steps/move-lines.js'
import { type SpokenItem, sentence } from './spoken-item.js'

/** A wrong move as sentences. @param n number of the move, from 1 */
export function spokenMove(
  { name, does, expects, rule, risk, flows }: ShownMove,
  n: number,
  of: number,
): SpokenItem {
  return {
    say: [`Wrong move ${n} of ${of}.`, sentence(`${name}: ${does}`), sentence(`Expected: ${expects}`)].join(
      ' ',
    ),
    details: [
      sentence(`Rule: ${rule}`),
      sentence(`Where it is not refused: ${risk}`),
      sentence(`Possible in: ${flows}`),
    ],
  }
}
