import { WEAK_NAMES, type WeakName } from '../../protocol/rules/weak-modes.js'
import type { Attack } from './model.js'

/** One run of an attack: the weak modes of its lab, and the expected end. */
export interface Cell {
  readonly weak: readonly WeakName[]
  readonly outcome: 'stolen' | 'defended'
  /** The check that refuses; for `stolen`, the one that is missing. */
  readonly check: string
}

/** An attack whose cells are known. */
export type WithCells = Pick<Attack, 'weak' | 'defences' | 'opened'>

/**
 * The cells of an attack: a strict lab, the lab of `--weak auto`, and a lab with each weak mode alone. The attack names the
 * modes that open it, and the modes after which another check refuses; every other mode leaves the first check in place.
 */
export function cellsOf({ weak, defences, opened }: WithCells): readonly Cell[] {
  const [{ check }] = defences
  const strict: Cell = { weak: [], outcome: 'defended', check }
  const auto: Cell = { weak, outcome: 'stolen', check }
  const alone = WEAK_NAMES.map((name): Cell => {
    const { stolen = false, check: other = check } = opened[name] ?? {}
    return { weak: [name], outcome: stolen ? 'stolen' : 'defended', check: other }
  })
  return [strict, auto, ...alone]
}
