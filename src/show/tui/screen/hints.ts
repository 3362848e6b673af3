import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { line } from '../../render/text/spans.js'
import { width } from '../../render/text/text.js'
import { spellKeys } from './help.js'
import type { Binding } from './key-table.js'

/** A hint and how long it stays when space is short. */
export interface Hint {
  readonly text: string
  readonly keep: number
}

/** As many hints as fit into `columns`: the one to keep least goes first, the order stays. */
export function hintLine(hints: readonly Hint[], columns: number, gap: number): Line {
  const kept = [...hints]
  const text = (): string => ` ${kept.map(hint => hint.text).join(' '.repeat(gap))}`
  while (kept.length > 1 && width(text()) > columns) {
    const least = Math.min(...kept.map(({ keep }) => keep))
    kept.splice(
      kept.findIndex(({ keep }) => keep === least),
      1,
    )
  }
  return line(text(), 'dim')
}

/** The hints of a key table that mean something in this state. */
export function tableHints<State, Command extends string>(
  table: ReadonlyArray<Binding<State, Command>>,
  state: State,
  signs: Signs,
): Hint[] {
  return table.flatMap(({ hint, when }) => {
    if (!hint || when?.(state) === false || hint.when?.(state) === false) return []
    return [{ keep: hint.keep, text: spellKeys(hint.text, signs) }]
  })
}
