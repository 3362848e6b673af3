import type { FormPairs } from '../../../protocol/http/form.js'
import { FormError, parseForm } from '../../../protocol/http/form.js'
import type { Signs } from '../text/signs.js'
import type { Line } from '../text/spans.js'
import { foreign, line, span } from '../text/spans.js'
import { cutEnd, cutMiddle, pad, width } from '../text/text.js'
import { fieldMeaning } from './field-meanings.js'

function pairsOf(form: string): FormPairs | undefined {
  try {
    return parseForm(form)
  } catch (error) {
    if (error instanceof FormError) return undefined
    throw error
  }
}

/** Meanings stand in one column behind values up to this width. */
const ALIGNED = 20

/** Values are cut down to this width for their meaning. */
const SHORTEST = 18

/** The parameters of a query or form, each on a line: name, value, meaning. Text that is no form stays as it is. */
export function fieldLines(form: string, columns: number, signs: Signs): Line[] {
  const pairs = pairsOf(form)
  if (pairs === undefined) return [line(`  ${foreign(form, signs)}`)]
  const rows = pairs.map(([name, value]) => ({
    name: cutEnd(foreign(name, signs), 21, signs.ellipsis),
    value: foreign(value, signs),
    meaning: fieldMeaning(name),
  }))
  const nameWidth = Math.max(0, ...rows.map(row => width(row.name)))
  const room = columns - nameWidth - 4
  const aligned = Math.min(ALIGNED, Math.max(0, ...rows.map(row => width(row.value))))
  return rows.map(({ name, value, meaning }): Line => {
    const left = room - 2 - width(meaning)
    // The value is cut for its meaning: people read the meaning, and copy the value.
    const explained = meaning !== '' && left >= Math.min(SHORTEST, width(value))
    const shown = pad(
      cutMiddle(value, explained ? left : room, signs.ellipsis),
      Math.min(aligned, explained ? left : room),
    )
    return [
      span(`  ${pad(name, nameWidth)}  `, 'name'),
      span(shown),
      ...(explained ? [span(`  ${meaning}`, 'dim')] : []),
    ]
  })
}
