import type { Line } from '../../render/text/spans.js'
import { THEME } from './theme.js'

/** A line as a terminal takes it, with or without colours. Its text has to be safe. */
export function paint(line: Line, colours: boolean): string {
  return line
    .map(({ text, tone }) => {
      const look = colours && text !== '' ? THEME[tone] : undefined
      return look === undefined ? text : `\x1b[${look[0]}m${text}\x1b[${look[1]}m`
    })
    .join('')
}
