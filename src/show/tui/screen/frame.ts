import { type ShownWeak, weakNotice } from '../../../protocol/rules/weak-modes.js'
import type { Signs } from '../../render/text/signs.js'
import {
  cutLine,
  foreign,
  type Line,
  line,
  lineWidth,
  type Span,
  span,
  spread,
} from '../../render/text/spans.js'
import { graphemes, width, wrap } from '../../render/text/text.js'
import { type Hint, helpLines, helpOf, hintLine, spellKeys } from './help.js'
import type { Front, KeyTable, Notice } from './key-rows.js'
import { type Menu, menuBox } from './menu.js'
import { boxed, type PaneContent, ruled } from './panes.js'
import { MENU_KEYS } from './picker.js'
import { type Arrangement, arrangementOf, frameHeight, type Size } from './size.js'

/** A pane across the screen: in a box where there is room, else under a rule. */
export function framed(
  arrangement: Arrangement,
  pane: PaneContent,
  columns: number,
  rows: number,
  signs: Signs,
  indent?: 0 | 1,
): Line[] {
  return arrangement === 'wide'
    ? boxed(pane, columns, rows, signs)
    : ruled(pane, columns, rows, signs, indent)
}

/** The room of a list, and of the details of its selected entry below. Columns and rows are those of contents. */
export interface ListRoom {
  readonly arrangement: Arrangement
  readonly columns: number
  readonly inner: number
  readonly rows: number
  readonly details: number
}

/** Lines of a list with details that are no contents: header, hints, frames or rules. */
const FRAMING = { wide: 6, normal: 4, small: 4, tooSmall: 4 } as const

/** Lays out a list with `details` lines about its selected entry. */
export function listRoom(size: Size, details: Readonly<Record<Arrangement, number>>): ListRoom {
  const arrangement = arrangementOf(size)
  const { columns } = size
  const rows = Math.max(1, frameHeight(size) - FRAMING[arrangement] - details[arrangement])
  const inner = columns - (arrangement === 'wide' ? 4 : 2)
  return { arrangement, columns, inner, rows, details: details[arrangement] }
}

/** The hints of a key table that mean something in this state. */
export function tableHints<State>(table: KeyTable<State, never>, state: State, signs: Signs): Hint[] {
  return table.flatMap(({ hint, when }) => {
    const [text, keep, worth] = hint ?? []
    if (text === undefined || keep === undefined) return []
    if (when?.(state) === false || worth?.(state) === false) return []
    return [{ keep, text: spellKeys(text, signs) }]
  })
}

/** The hints of a screen: those of its menu while one is open, else those of its keys. */
export function screenHints<State extends Front>(
  table: KeyTable<State, never>,
  state: State,
  signs: Signs,
): Hint[] {
  return state.menu ? tableHints(MENU_KEYS, undefined, signs) : tableHints(table, state, signs)
}

/** The hints of a screen as its last line. @param room the layout of the screen, or the size of the terminal */
export function tableHintLine<State extends Front>(
  table: KeyTable<State, never>,
  state: State,
  room: Pick<ListRoom, 'columns' | 'arrangement'> | Size,
  signs: Signs,
): Line {
  const arrangement = 'arrangement' in room ? room.arrangement : arrangementOf(room)
  return hintLine(screenHints(table, state, signs), room.columns, arrangement === 'wide' ? 3 : 2)
}

/** A filter while it is typed, as the last line of a screen. */
export function filterLine(filter: string, signs: Signs): Line {
  return [
    span(' /', 'name'),
    span(foreign(filter, signs)),
    span(signs.caret, 'now'),
    span('   enter keep   esc cancel', 'dim'),
  ]
}

/** The first line of a page over all panes, and the way back. */
export function pageTitle(title: string, columns: number, signs: Signs): Line {
  return spread([span(' oauth-lab  ', 'title'), span(title)], [span('esc back ', 'dim')], columns, signs)
}

/** Columns of the mark before a notice. */
const MARK = 3

/**
 * The notice of a screen over its last lines, whole. The ways to the help and out stay at its end.
 * @param kept the hints that stay
 */
function withNotice(
  lines: readonly Line[],
  notice: Notice,
  kept: Line,
  columns: number,
  signs: Signs,
): readonly Line[] {
  const { text, good } = typeof notice === 'string' ? { text: notice, good: true } : notice
  if (text === '') return lines
  const [first = '', ...more] = wrap(foreign(text, signs), columns - MARK - 1)
  const said = [
    [good ? span(` ${signs.done} `, 'done') : span(` ${signs.look} `, 'look'), span(first)],
    ...more.map(part => line(`${' '.repeat(MARK)}${part}`)),
  ]
  const last = said.at(-1)!
  const beside = lineWidth(last) + lineWidth(kept) + 2 <= columns
  const toast = beside ? [...said.slice(0, -1), spread(last, kept, columns, signs)] : [...said, kept]
  const rule = toast.length > 1 ? [line(signs.solid.repeat(columns), 'dim')] : []
  const drawn = [...rule, ...toast]
  return [...lines.slice(0, Math.max(0, lines.length - drawn.length)), ...drawn]
}

/** The parts of a screen's frame. */
interface FrameParts<State> {
  readonly keys: KeyTable<State, never>
  /** Notes on the help page. */
  readonly notes: readonly string[]
  /** The menu that is open. */
  readonly menu?: Menu<unknown> | undefined
  readonly panes: () => readonly Line[]
  /** The hints of what is in front; default: those of the screen. */
  readonly hints?: readonly Hint[]
}

/** The frame of a screen: its panes, a menu over their middle, or the help page, and the notice. Another page is a matter of `panes`. */
export function screenFrame<State extends Front>(
  state: State,
  size: Size,
  signs: Signs,
  { keys, notes, menu, panes, hints }: FrameParts<State>,
): Line[] {
  const { page, notice, menu: picking = {} } = state
  const lines = (): readonly Line[] => {
    if (page === 'help') return helpLines({ ...helpOf(keys, state), notes }, size, signs)
    const drawn = panes()
    if (menu === undefined) return drawn
    const room = { columns: size.columns, rows: frameHeight(size) }
    const inner = { columns: room.columns - 4, rows: room.rows - 2 }
    return centred(drawn, menuBox(menu, picking, inner, signs), room)
  }
  const noticed = (): readonly Line[] => {
    const { columns } = size
    const frame = lines()
    if (notice === undefined) return frame
    const kept = hintLine(
      (hints ?? screenHints(keys, state, signs)).filter(({ keep }) => keep >= 10),
      columns,
      2,
    )
    const full = [...frame, ...Array.from({ length: frameHeight(size) - frame.length }, () => [])]
    return withNotice(full, notice, kept, columns, signs)
  }
  return fitFrame(noticed, size, signs)
}

function tooSmall({ columns, rows }: Size): Line[] {
  const text = `oauth-lab needs 60x20, this terminal is ${columns}x${rows}. Make it larger, or run with --plain. q quits.`
  return wrap(text, Math.max(1, columns - 1)).map(part => line(columns > 10 ? ` ${part}` : part))
}

/**
 * A frame as the terminal can show it: exactly one line less than it has rows, none wider than it has columns. Where
 * it is smaller than 60x20, the sentence that says so.
 */
export function fitFrame(lines: () => readonly Line[], size: Size, signs: Signs): Line[] {
  const height = frameHeight(size)
  const body = arrangementOf(size) === 'tooSmall' ? tooSmall(size) : lines()
  const cut = body.slice(0, height).map(each => cutLine(each, size.columns, signs))
  return [...cut, ...Array.from({ length: height - cut.length }, () => [])]
}

/** The columns `from` to `to` (exclusive) of a line. A character that lies across an end becomes spaces. */
function columnsOf(line: Line, from: number, to: number): Line {
  const kept: Span[] = []
  let at = 0
  for (const { text, tone } of line) {
    let piece = ''
    for (const { segment } of graphemes(text)) {
      const end = at + width(segment)
      if (at >= from && end <= to) piece += segment
      else if (end > from && at < to) piece += ' '.repeat(Math.min(end, to) - Math.max(at, from))
      at = end
    }
    if (piece !== '') kept.push({ text: piece, tone })
  }
  return kept
}

/** A frame with a box drawn over it; its first character at `left`, `top`. */
export function overlay(
  frame: readonly Line[],
  box: readonly Line[],
  { left, top, columns }: { readonly left: number; readonly top: number; readonly columns: number },
): Line[] {
  return frame.map((line, y) => {
    const over = box[y - top]
    if (over === undefined) return line
    const before = columnsOf(line, 0, left)
    const after = columnsOf(line, left + lineWidth(over), columns)
    return [...before, span(' '.repeat(left - lineWidth(before))), ...over, ...after]
  })
}

/** A frame with a box drawn over its middle, `rows` by `columns` large. */
export function centred(
  frame: readonly Line[],
  box: readonly Line[],
  { columns, rows }: { readonly columns: number; readonly rows: number },
): Line[] {
  const left = Math.max(0, Math.floor((columns - lineWidth(box[0] ?? [])) / 2))
  return overlay(frame, box, { left, top: Math.max(0, Math.floor((rows - box.length) / 2)), columns })
}

/** Most lines that the notice takes from a screen. */
const MOST = 2

/** The notice with the sentences of the first `shown` modes, and the number of the others. */
function noticeOf(weak: readonly ShownWeak[], shown: number): string | undefined {
  const notice = weakNotice(weak.slice(0, shown))
  const left = weak.length - shown
  return notice === undefined || left === 0 ? notice : `${notice}; and ${left} more`
}

/** The lines below the header of a screen that shows a weak lab, with as many whole sentences as fit; none for a strict one. */
export function weakNoticeLines(weak: readonly ShownWeak[], columns: number): Line[] {
  for (let shown = weak.length; shown > 0; shown--) {
    const notice = noticeOf(weak, shown)
    if (notice === undefined) return []
    const parts = wrap(notice, columns - 2)
    if (parts.length <= MOST || shown === 1)
      return parts.slice(0, MOST).map(part => line(` ${part}`, 'refused'))
  }
  return []
}
