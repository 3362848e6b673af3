import { withoutEnd } from '../../../protocol/values.js'

/** The values that an item can be filtered by: its fields by name, and all text it shows. */
export interface Filterable {
  readonly fields: Readonly<Record<string, string | undefined>>
  readonly text: string
}

/** A term of a filter: `status:400`, `/token`, `!client:demo`. */
type Test = (item: Filterable) => boolean

/** A status may be named by its beginning: `status:4`, `status:4xx`. */
function fieldFits(name: string, wanted: string, value: string | undefined): boolean {
  if (value === undefined) return false
  if (name === 'status') return value.startsWith(withoutEnd(wanted, 'x'))
  return value.toLowerCase().includes(wanted)
}

function termOf(term: string, names: ReadonlySet<string>): Test {
  const not = term.startsWith('!') && term.length > 1
  const text = (not ? term.slice(1) : term).toLowerCase()
  const mark = text.indexOf(':')
  const name = text.slice(0, Math.max(0, mark))
  const wanted = text.slice(mark + 1)
  const fits: Test = names.has(name)
    ? ({ fields }) => fieldFits(name, wanted, fields[name])
    : item => item.text.toLowerCase().includes(text)
  return not ? item => !fits(item) : fits
}

/**
 * A filter as people type it: words with spaces between them, all of which have to fit. `name:value` asks for a field
 * where there is one of that name; any other word for text; `!` before a word for its opposite.
 */
export function filterOf(filter: string, names: ReadonlySet<string>): Test {
  const terms = filter.split(' ').filter(each => each !== '')
  const tests = terms.map(each => termOf(each, names))
  return item => tests.every(test => test(item))
}
