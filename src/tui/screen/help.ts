import { ruleLine } from '../../render/exchange-lines.js'
import type { Signs } from '../../render/signs.js'
import type { Line } from '../../render/spans.js'
import { fillLine, line, span, spread } from '../../render/spans.js'
import { pad } from '../../render/text.js'
import type { Binding } from './key-table.js'

/** Names of keys for a terminal: arrows spelt out when it has no arrows. */
export function spellKeys(text: string, signs: Signs): string {
  if (!signs.ascii) return text
  return text.replace('← →', '<- ->').replace('←→', '<- ->').replace('↓ ↑', 'down up')
}

/** The rows of a help page. The table's own state does not matter to it. */
export type HelpRow = Pick<Binding<never, string>, 'group' | 'help'>

function cells(table: readonly HelpRow[], group: string, signs: Signs): Line[] {
  return table.flatMap(({ group: of, help }) => {
    if (of !== group || help === undefined) return []
    return [[span(`  ${pad(spellKeys(help[0], signs), 9)}`, 'name'), span(help[1])]]
  })
}

/** Two cells a line, read down and then across. */
function inColumns(all: readonly Line[], columns: number, signs: Signs): Line[] {
  const rows = Math.ceil(all.length / 2)
  const half = Math.floor((columns - 1) / 2)
  return all.slice(0, rows).map((cell, i) => [...fillLine(cell, half, signs), ...(all[i + rows] ?? [])])
}

/** The help page of a screen, made of its key table: a section for each of its groups, and notes below. */
export function helpLines(
  table: readonly HelpRow[],
  notes: readonly string[],
  columns: number,
  signs: Signs,
): Line[] {
  const groups = [...new Set(table.map(({ group }) => group))].sort()
  const title = [span(' oauth-lab  ', 'title'), span('keys')]
  return [
    spread(title, [span('esc back ', 'dim')], columns, signs),
    ...groups.flatMap(group => [
      ruleLine([span(group, 'title')], [], columns, signs),
      ...inColumns(cells(table, group, signs), columns, signs),
    ]),
    ...(notes.length > 0 ? [line('')] : []),
    ...notes.map(note => line(` ${note}`, 'dim')),
  ]
}
