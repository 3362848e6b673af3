import { wrap } from './text.js'

/** A point in which a server departs from the complete, standard one. */
interface Difference {
  readonly point: string
  readonly here: string
  readonly otherwise: string
  readonly why: string
}

/** Columns before the text of a difference. */
const INDENT = 15

/** The differences of a server as text, wrapped to `width` columns. */
export function differenceLines(differences: readonly Difference[], width: number): string[] {
  const labelled = (label: string, text: string) => {
    const [first = '', ...more] = wrap(text, width - INDENT)
    return [`    ${label.padEnd(INDENT - 4)}${first}`, ...more.map(line => ' '.repeat(INDENT) + line)]
  }
  return differences.flatMap(({ point, here, otherwise, why }) => [
    '',
    ...wrap(point, width - 2).map(line => `  ${line}`),
    ...labelled('here', here),
    ...labelled('otherwise', otherwise),
    ...labelled('why', why),
  ])
}
