import type { Check } from '../../../protocol/oauth/check.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { cutLine, foreign, lineWidth, span, spread } from '../text/spans.js'
import { cutEnd, pad, width, wrap } from '../text/text.js'

/** Lines that the observed value of one check may take. */
const MOST_LINES = 3

/** The checks of a side: sign, name, observed value, rule. A long value goes on below itself. */
export function checkLines(checks: readonly Check[], columns: number, signs: Signs): Line[] {
  const names = checks.map(({ name }) => cutEnd(foreign(name, signs), 18, signs.ellipsis))
  const nameWidth = Math.max(0, ...names.map(width))
  const room = columns - nameWidth - 4
  return checks.flatMap(({ ok, advice, rule, detail = '' }, i) => {
    const bad = advice ? span(signs.look, 'look') : span(signs.refused, 'refused')
    const head = [ok ? span(signs.done, 'done') : bad, span(` ${pad(names[i]!, nameWidth)}  `, 'name')]
    const ruled: Line = [span(foreign(rule, signs), 'dim')]
    const parts = room < 16 ? [foreign(detail, signs)] : wrap(foreign(detail, signs), room)
    const told = parts.slice(0, MOST_LINES)
    if (told.length === 0) told.push('')
    const lines = told.map(
      (part, at): Line => [...(at === 0 ? head : [span(' '.repeat(nameWidth + 4))]), span(part)],
    )
    const last = lines.at(-1)!
    if (lineWidth(last) + 1 + width(rule) <= columns)
      return [...lines.slice(0, -1), spread(last, ruled, columns, signs)]
    return room < 16 ? [cutLine(last, columns, signs)] : [...lines, spread([], ruled, columns, signs)]
  })
}
