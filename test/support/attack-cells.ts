import type { Attack } from '../../src/judge/attacks/model.js'
import { WEAK_NAMES, type WeakName } from '../../src/protocol/rules/weak-modes.js'

/** One run of an attack: the weak modes of its lab, and the expected end. */
export interface Cell {
  readonly weak: readonly WeakName[]
  readonly outcome: 'stolen' | 'defended'
  /** The check that refuses; for `stolen`, the one that is missing. */
  readonly check: string
}

/**
 * The cells of an attack: a strict lab, a lab with each weak mode alone, and the lab of `--weak auto` where that has several modes. The attack names the
 * modes that open it, and the modes after which another check refuses; every other mode leaves the first check in place.
 */
export function cellsOf({
  weak,
  defences,
  opened,
}: Pick<Attack, 'weak' | 'defences' | 'opened'>): readonly Cell[] {
  const [{ check }] = defences
  const strict: Cell = { weak: [], outcome: 'defended', check }
  const auto: readonly Cell[] = weak.length > 1 ? [{ weak, outcome: 'stolen', check }] : []
  const alone = WEAK_NAMES.map((name): Cell => {
    const { stolen = `${weak}` === name, check: other = check } = opened[name] ?? {}
    return { weak: [name], outcome: stolen ? 'stolen' : 'defended', check: other }
  })
  return [strict, ...auto, ...alone]
}
