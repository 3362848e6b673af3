import { ruleLine } from '../../render/exchange-lines.js'
import type { Signs } from '../../render/signs.js'
import type { Line } from '../../render/spans.js'
import { fillLine, line, span, spread } from '../../render/spans.js'
import { pad } from '../../render/text.js'
import type { Binding } from './keymap.js'
import { FLOW_KEYS } from './keymap.js'

function asciiArrows(text: string, signs: Signs): string {
  if (!signs.ascii) return text
  return text.replace('← →', '<- ->').replace('↓ ↑', 'down up')
}

function cells(group: Binding['group'], signs: Signs): Line[] {
  return FLOW_KEYS.flatMap(({ group: of, help }) => {
    if (of !== group || help === undefined) return []
    const keys = asciiArrows(help[0], signs)
    return [[span(`  ${pad(keys, 9)}`, 'name'), span(help[1])]]
  })
}

/** Two cells a line, read down and then across. */
function inColumns(all: readonly Line[], columns: number, signs: Signs): Line[] {
  const rows = Math.ceil(all.length / 2)
  const half = Math.floor((columns - 1) / 2)
  return all.slice(0, rows).map((cell, i) => [...fillLine(cell, half, signs), ...(all[i + rows] ?? [])])
}

/** The help page, made of the key table. */
export function helpLines(columns: number, signs: Signs): Line[] {
  const section = (group: Binding['group']): Line[] => [
    ruleLine([span(group, 'title')], [], columns, signs),
    ...inColumns(cells(group, signs), columns, signs),
  ]
  const title = [span(' oauth-lab  ', 'title'), span('keys')]
  return [
    spread(title, [span('esc back ', 'dim')], columns, signs),
    ...section('Everywhere'),
    ...section('Flow'),
    line(''),
    line(' at the login: tab field, ^b your browser, esc cancel', 'dim'),
  ]
}
