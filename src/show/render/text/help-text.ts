import { commandLines, hanging, width, wrap } from './text.js'

/** A term of a list, such as an exit code, and its meaning. */
const TERM = /^( *\S+ {2,})(\S.*)$/

/** A command of the examples, and what it shows. */
const EXAMPLE = /^( *)(\S.*?)( {2,})(\S.*)$/

/** A line of examples or of a list. What an example shows goes below its command where there is no room beside it. */
function shortLines(text: string, columns: number): string[] {
  const [, term, meaning = ''] = TERM.exec(text) ?? []
  if (term !== undefined) return hanging(term, meaning, { columns, width })
  const [, , , gap, shows = ''] = EXAMPLE.exec(text) ?? []
  const head = text.slice(0, text.length - shows.length)
  const beside = hanging(head, shows, { columns, width })
  if (gap !== undefined && beside.every(each => width(each) <= columns)) return beside
  const indent = ' '.repeat(head.search(/\S/))
  const command = commandLines(head.trim(), columns - indent.length - 4)
  return [
    ...command.map((part, i) => `${indent}${i === 0 ? '' : '  '}${part}`),
    ...(shows === '' ? [] : wrap(shows, columns - indent.length - 4).map(part => `${indent}    ${part}`)),
  ]
}

/** A page of help for a terminal: what is too long for it is broken between words, and a command between words of the shell. */
export function helpText(text: string, columns: number): string {
  const fits = (line: string): boolean => width(line) <= columns
  return text
    .split(/(\n{2,}|\n$)/)
    .map(block => {
      const lines = block.split('\n')
      if (lines.every(fits)) return block
      if (lines.every(line => /^\S/.test(line))) return wrap(lines.join(' '), columns).join('\n')
      return lines.flatMap(line => (fits(line) ? [line] : shortLines(line, columns))).join('\n')
    })
    .join('')
}
