import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, span, spread } from '../../render/text/spans.js'
import { fitFrame } from './fit-frame.js'
import { type HelpRow, helpLines, spellKeys } from './help.js'
import { type Hint, hintLine } from './hints.js'
import type { Front, KeyTable } from './key-rows.js'
import { type Menu, menuBox } from './menus.js'
import { centred } from './overlay.js'
import { boxed, type PaneContent, ruled } from './panes.js'
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

/** The hints of a key table as the last line of a screen. */
export function tableHintLine<State>(
  table: KeyTable<State, never>,
  state: State,
  { columns, arrangement }: { readonly columns: number; readonly arrangement: Arrangement },
  signs: Signs,
): Line {
  return hintLine(tableHints(table, state, signs), columns, arrangement === 'wide' ? 3 : 2)
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

/** The notice of a screen as its last line; undefined without one. */
export function noticeLine({ notice }: Front, signs: Signs): Line | undefined {
  return typeof notice === 'string' && notice !== '' ? [span(` ${foreign(notice, signs)}`, 'now')] : undefined
}

/** The first line of a page over all panes, and the way back. */
export function pageTitle(title: string, columns: number, signs: Signs): Line {
  return spread([span(' oauth-lab  ', 'title'), span(title)], [span('esc back ', 'dim')], columns, signs)
}

/** The parts of a screen's frame. */
export interface FrameParts {
  readonly keys: readonly HelpRow[]
  /** Notes on the help page. */
  readonly notes: readonly string[]
  /** The menu that is open, and the index of its item. */
  readonly menu?: readonly [menu: Menu<unknown>, at: number] | undefined
  readonly panes: () => readonly Line[]
}

/** The frame of a screen: its panes, a menu over their middle, or the help page. Another page is a matter of `panes`. */
export function screenFrame(
  { page }: Front,
  size: Size,
  signs: Signs,
  { keys, notes, menu, panes }: FrameParts,
): Line[] {
  const lines = (): readonly Line[] => {
    if (page === 'help') return helpLines(keys, notes, size, signs)
    const drawn = panes()
    if (menu === undefined) return drawn
    const room = { columns: size.columns, rows: frameHeight(size) }
    const inner = { columns: room.columns - 4, rows: room.rows - 2 }
    return centred(drawn, menuBox(menu[0], menu[1], inner, signs), room)
  }
  return fitFrame(lines, size, signs)
}
