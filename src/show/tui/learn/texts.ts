import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, span, type Tone } from '../../render/text/spans.js'
import { commandLines, width, wrap } from '../../render/text/text.js'
import type { LessonPage, Section } from './content.js'

/** Widest prose, in columns: longer lines are hard to read. */
const PROSE = 76

/** A text below a mark, and further lines below its beginning. */
export function hung(mark: Line, text: string, columns: number, tone: Tone = 'plain'): Line[] {
  const indent = mark.reduce((sum, piece) => sum + width(piece.text), 0)
  return wrap(text, columns - indent).map((part, i) => [
    ...(i === 0 ? mark : [span(' '.repeat(indent))]),
    span(part, tone),
  ])
}

/** The lines of a lesson that a prompt takes, as far as their beginning says so. */
export const COMMAND =
  /^\s*(?:cat|curl|echo|eval|export|go|kubectl|node|oauth-lab|printf|python3?|rm|sed|sh|\w+=\$\()(?:\s|\b)/

/** A paragraph of a lesson as lines. */
function paragraph(text: string, columns: number, signs: Signs): Line[] {
  if (text.startsWith('  ')) {
    const broken = COMMAND.test(text) ? commandLines : wrap
    const shown = broken(foreign(text.slice(2), signs), columns - 6)
    return shown.map((part, i) => line(`${i === 0 ? '  ' : '    '}${part}`, 'name'))
  }
  const room = Math.min(columns, PROSE)
  const safe = foreign(text, signs)
  return safe.startsWith('- ')
    ? hung([span('- ')], safe.slice(2), room)
    : wrap(safe, room).map(part => line(part))
}

/** A section of a lesson as lines. */
function sectionLines({ title, texts, tone }: Section, columns: number, signs: Signs): Line[] {
  const sign = tone === 'done' ? `${signs.done} ` : tone === 'look' ? `${signs.look} ` : ''
  return [
    ...wrap(foreign(`${sign}${title}`, signs), columns).map(part => line(part, tone ?? 'title')),
    ...texts.flatMap(text => paragraph(text, columns, signs)),
  ]
}

/** The lines of a lesson, and the places in them that matter. */
export interface PageLines {
  readonly lines: readonly Line[]
  /** First line of the section that the pane begins with. */
  readonly anchor: number
  /** First line, and the line behind the last one, of the newest section. */
  readonly newest: readonly [from: number, to: number]
  /** First line of each section. */
  readonly starts: readonly number[]
  /** First and last line of the selected answer. */
  readonly option?: readonly [from: number, to: number]
}

/** The lines of a page. @param option the selected answer of the prediction */
export function pageLines(
  page: LessonPage,
  option: number | undefined,
  columns: number,
  signs: Signs,
): PageLines {
  const lines: Line[] = []
  const starts: number[] = []
  const ends: number[] = []
  for (const section of page.sections) {
    if (lines.length > 0) lines.push([])
    starts.push(lines.length)
    lines.push(...sectionLines(section, columns, signs))
    ends.push(lines.length)
  }
  let selected: PageLines['option']
  for (const [i, text] of page.options.entries()) {
    const here = i === option
    const letter = String.fromCharCode(97 + i)
    const mark = [span(here ? `${signs.arrowRight} ` : '  ', 'now'), span(`${letter}) `, 'name')]
    const from = lines.length
    lines.push(...hung(mark, foreign(text, signs), Math.min(columns, PROSE), here ? 'strong' : 'plain'))
    if (here) selected = [from, lines.length - 1]
  }
  const newest = [starts[page.newest] ?? 0, ends[page.newest] ?? lines.length] as const
  return { lines, anchor: starts[page.anchor] ?? 0, newest, starts, ...(selected && { option: selected }) }
}
