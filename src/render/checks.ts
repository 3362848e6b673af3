import type { Check } from '../oauth/check.js'
import type { Signs } from './signs.js'
import type { Line } from './spans.js'
import { cutLine, foreign, span, spread } from './spans.js'
import { cutEnd, pad, width } from './text.js'

/** The checks of a side, one line each: sign, name, observed value, rule. */
export function checkLines(checks: readonly Check[], columns: number, signs: Signs): Line[] {
  const names = checks.map(({ name }) => cutEnd(foreign(name, signs), 18, signs.ellipsis))
  const nameWidth = Math.max(0, ...names.map(width))
  return checks.map(({ ok, advice, rule, detail = '' }, i) => {
    const bad = advice ? span(signs.look, 'look') : span(signs.refused, 'refused')
    const found = [
      ok ? span(signs.done, 'done') : bad,
      span(` ${pad(names[i]!, nameWidth)}  `, 'name'),
      span(foreign(detail, signs)),
    ]
    const ruled = spread(found, [span(foreign(rule, signs), 'dim')], columns, signs)
    return columns >= nameWidth + width(rule) + 16 ? ruled : cutLine(found, columns, signs)
  })
}
