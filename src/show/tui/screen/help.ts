import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import { fillLine, type Line, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { pad, width, wrap } from '../../render/text/text.js'
import type { KeyRow } from './key-rows.js'
import { frameHeight, type Size } from './size.js'

/** Names of keys for a terminal: arrows spelt out when it has no arrows. */
export function spellKeys(text: string, signs: Signs): string {
  if (!signs.ascii) return text
  return text.replace('← →', '<- ->').replace('←→', '<- ->').replace('↓ ↑', 'down up')
}

/** The rows of a help page. The table's own state does not matter to it. */
export type HelpRow = Pick<KeyRow<never, never>, 'group' | 'help'>

function cells(table: readonly HelpRow[], group: string, signs: Signs): Line[] {
  return table.flatMap(({ group: of, help }) => {
    if (of !== group || help === undefined) return []
    return [[span(`  ${pad(spellKeys(help[0], signs), 9)}`, 'name'), span(help[1])]]
  })
}

/** Columns of a cell where two share a line. */
const halfOf = (columns: number): number => Math.floor((columns - 1) / 2)

/** Two cells a line, read down and then across. */
function inColumns(all: readonly Line[], columns: number, signs: Signs): Line[] {
  const rows = Math.ceil(all.length / 2)
  return all
    .slice(0, rows)
    .map((cell, i) => [...fillLine(cell, halfOf(columns), signs), ...(all[i + rows] ?? [])])
}

/**
 * The help page of a screen, made of its key table: a section for each of its groups, and notes below. Where two cells
 * a line would cut a text, and the frame has the lines, each has a line of its own.
 */
export function helpLines(
  table: readonly HelpRow[],
  notes: readonly string[],
  size: Size,
  signs: Signs,
): Line[] {
  const { columns } = size
  const names = [...new Set(table.map(({ group }) => group))].sort()
  const groups = names.map(name => ({ name, all: cells(table, name, signs) }))
  const title = [span(' oauth-lab  ', 'title'), span('keys')]
  const page = (arrange: (all: readonly Line[]) => readonly Line[]): Line[] => [
    spread(title, [span('esc back ', 'dim')], columns, signs),
    ...groups.flatMap(({ name, all }) => [
      ruleLine([span(name, 'title')], [], columns, signs),
      ...arrange(all),
    ]),
    ...(notes.length > 0 ? [line('')] : []),
    ...notes.flatMap(note => wrap(note, columns - 2).map(part => line(` ${part}`, 'dim'))),
  ]
  const cut = groups.some(({ all }) => {
    const left = Math.ceil(all.length / 2)
    const roomOf = (i: number) => (i < left ? halfOf(columns) : columns - halfOf(columns))
    return all.some((cell, i) => lineWidth(cell) > roomOf(i))
  })
  const long = page(all => all)
  return cut && long.length <= frameHeight(size) ? long : page(all => inColumns(all, columns, signs))
}

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
