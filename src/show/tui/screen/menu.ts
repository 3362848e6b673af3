import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { width, wrap } from '../../render/text/text.js'
import type { Binding } from './key-table.js'
import { bindingOf } from './key-table.js'
import { boxed } from './panes.js'
import { positionText, windowStart } from './window.js'

/** A choice of a menu. */
export interface MenuItem<Choice> {
  readonly choice: Choice
  /** The key that chooses it at once; empty for none. */
  readonly key: string
  readonly text: string
  /** The heading above the first of its group. */
  readonly heading?: string
  /** Beside the text, in one column for all items: the effect. */
  readonly idea?: string
  /** At the right: what comes of it. */
  readonly aside?: string
  /** Why it cannot be chosen. */
  readonly off?: string
  /** More about it, while it is the one that enter would choose. */
  readonly about?: string
}

/** A list to choose from, drawn over the panes. */
export interface Menu<Choice> {
  readonly title: string
  readonly items: readonly MenuItem<Choice>[]
  /** Below the items. */
  readonly note: string
}

/** The commands of the keys in any menu. */
export type MenuCommand = 'choose' | 'next' | 'previous' | 'close' | 'quit' | 'interrupt' | 'suspend'

/** The keys of every menu; the letters before the items choose them at once. */
export const MENU_KEYS: ReadonlyArray<Binding<unknown, MenuCommand>> = [
  {
    keys: ['enter'],
    command: 'choose',
    group: 'Menus',
    help: ['enter', 'choose; so does the letter before it'],
    hint: { text: 'enter choose', keep: 9 },
  },
  {
    keys: ['down', 'j', 'tab'],
    command: 'next',
    group: 'Menus',
    help: ['j k ↓ ↑', 'move'],
    hint: { text: 'j k move', keep: 7 },
  },
  { keys: ['up', 'k', 'shift-tab'], command: 'previous', group: 'Menus' },
  {
    keys: ['esc', 'q'],
    command: 'close',
    group: 'Menus',
    help: ['esc q', 'leave it alone'],
    hint: { text: 'esc leave it alone', keep: 10 },
  },
  {
    keys: ['Q'],
    command: 'quit',
    group: 'Menus',
    help: ['Q ^C', 'quit now'],
    hint: { text: '^C quit', keep: 8 },
  },
  { keys: ['ctrl-c'], command: 'interrupt', group: 'Menus' },
  { keys: ['ctrl-z'], command: 'suspend', group: 'Menus' },
]

/** The meaning of a key in a menu: an item, or a command. The keys of its items come first. */
export function menuPress<Choice>(
  menu: Menu<Choice>,
  key: string,
): { readonly item: number } | { readonly command: MenuCommand } | undefined {
  const item = menu.items.findIndex(each => each.key !== '' && each.key === key)
  if (item >= 0) return { item }
  const command = bindingOf(MENU_KEYS, key, undefined)?.command
  return command && { command }
}

/** Columns of the frame around a menu. */
const FRAME = 4

/** The rows of a list: an item by its index, and a heading by its text before the first item of its group. */
function itemRows(items: ReadonlyArray<MenuItem<unknown>>): (number | string)[] {
  return items.flatMap(({ heading }, i) =>
    heading === undefined || heading === items[i - 1]?.heading ? [i] : [heading, i],
  )
}

/** The lines of a menu, at most `columns` by `rows`; where not all items fit, those around `at`. */
export function menuBox<Choice>(
  { title, items, note }: Menu<Choice>,
  at: number,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  signs: Signs,
): Line[] {
  const keyWidth = Math.max(...items.map(({ key }) => width(key)), 0)
  const ideaAt = Math.max(0, ...items.map(({ text, idea }) => (idea === undefined ? 0 : width(text))))
  const wanted = items.map(({ text, idea, aside = '' }) => {
    const told = idea === undefined ? width(text) : ideaAt + 2 + width(idea)
    return keyWidth + told + width(aside) + 8
  })
  const inner = Math.min(columns - FRAME, Math.max(...wanted, width(title) + 4, width(note), 34))
  const about = items[at]?.off ?? items[at]?.about
  const below = [
    ...(about === undefined ? [] : wrap(foreign(about, signs), inner)),
    ...(note === '' ? [] : wrap(foreign(note, signs), inner)),
  ].map(text => line(text, 'dim'))
  // Every item may have more to say than another: the box keeps its height.
  const tallest = Math.max(0, ...items.map(each => wrap(each.off ?? each.about ?? '', inner).length))
  const aboutRows = items.some(each => (each.off ?? each.about) !== undefined) ? tallest + 1 : 0
  const noteRows = note === '' ? 0 : wrap(note, inner).length
  const rowsOfItems = itemRows(items)
  const row = rowsOfItems.indexOf(at)
  const room = Math.max(1, Math.min(rowsOfItems.length, rows - 2 - aboutRows - noteRows))
  // The heading of an item is seen with it.
  const top = room > 1 && typeof rowsOfItems[row - 1] === 'string' ? row - 1 : row
  const start = windowStart(rowsOfItems.length, room, top, row)
  const listed = rowsOfItems.slice(start, start + room).map((listedRow): Line => {
    if (typeof listedRow === 'string') return [span(listedRow, 'title')]
    const { key, text, idea, aside = '', off } = items[listedRow]!
    const here = listedRow === at
    const tone = off !== undefined ? 'dim' : here ? 'strong' : 'plain'
    return spread(
      [
        span(here ? `${signs.arrowRight} ` : '  ', 'now'),
        span(`${key.padEnd(keyWidth)}${keyWidth > 0 ? '  ' : ''}`, 'name'),
        span(foreign(idea === undefined ? text : text.padEnd(ideaAt + 2), signs), tone),
        ...(idea === undefined ? [] : [span(foreign(idea, signs), 'dim')]),
      ],
      aside === '' ? [] : [span(foreign(aside, signs), 'dim')],
      inner,
      signs,
    )
  })
  const gap = aboutRows > 0 || note !== '' ? [line('')] : []
  const filler = Array.from({ length: Math.max(0, aboutRows + noteRows - below.length - gap.length) }, () =>
    line(''),
  )
  const lines = [...listed, ...gap, ...below, ...filler].slice(0, Math.max(1, rows - 2))
  const position = positionText(start, room, rowsOfItems.length)
  return boxed(
    { title: [span(title, 'title')], aside: position === '' ? [] : [span(position, 'dim')], lines },
    inner + FRAME,
    lines.length,
    signs,
  ).map(each => (lineWidth(each) > columns ? each.slice(0, 1) : each))
}
