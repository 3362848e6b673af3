import type { FormPairs } from '../http/form.js'
import { FormError, parseForm } from '../http/form.js'
import { fieldMeaning } from './field-meanings.js'
import type { Signs } from './signs.js'
import type { Line } from './spans.js'
import { foreign, line, span } from './spans.js'
import { cutEnd, cutMiddle, pad, width } from './text.js'

function pairsOf(form: string): FormPairs | undefined {
  try {
    return parseForm(form)
  } catch (error) {
    if (error instanceof FormError) return undefined
    throw error
  }
}

/** Values are kept to this, so that meanings stand beside them. */
const VALUE = 30

/** The parameters of a query or form, each on a line: name, value, meaning. Text that is no form stays as it is. */
export function fieldLines(form: string, columns: number, signs: Signs): Line[] {
  const pairs = pairsOf(form)
  if (pairs === undefined) return [line(`  ${foreign(form, signs)}`)]
  const names = pairs.map(([name]) => cutEnd(foreign(name, signs), 21, signs.ellipsis))
  const nameWidth = Math.max(0, ...names.map(width))
  const room = columns - nameWidth - 4
  const values = pairs.map(([, value]) => foreign(value, signs))
  const valueWidth = Math.min(room, Math.max(0, ...values.map(value => Math.min(VALUE, width(value)))))
  return pairs.map(([name], i) => {
    const meaning = fieldMeaning(name)
    const value = values[i]!
    const left = room - 2 - Math.max(width(value), valueWidth)
    const told = left >= width(meaning) ? Math.max(width(value), valueWidth) : valueWidth
    const explained = meaning !== '' && room - told - 2 >= Math.min(8, width(meaning))
    const shown = cutMiddle(value, explained ? told : room, signs.ellipsis)
    return [
      span(`  ${pad(names[i]!, nameWidth)}  `, 'name'),
      span(shown),
      ...(explained ? [span(`${' '.repeat(told - width(shown))}  ${meaning}`, 'dim')] : []),
    ]
  })
}
