import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { width, wrap } from '../../render/text/text.js'
import { type Exits, type KeyTable, keyRows, quitKeys, rowOf } from './key-rows.js'
import { groupedRows, positionText } from './list.js'
import { boxed } from './panes.js'

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
  /** Why it cannot be chosen. */
  readonly off?: string | undefined
  /** More about it, while it is the one that enter would choose. */
  readonly about?: string
}

/** A list to choose from, drawn over the panes. */
export interface Menu<Choice> {
  readonly title: string
  readonly items: readonly MenuItem<Choice>[]
  /** Below the items. */
  readonly note?: string
}

/** A menu that is open. */
export interface OpenMenu<Choice> {
  readonly menu: Menu<Choice>
  /** Index of the item that Enter chooses. */
  readonly at: number
  readonly go: (at: number) => void
  readonly choose: (item: MenuItem<Choice>, at: number) => void
  readonly close: () => void
}

interface MenuMoves extends Exits {
  readonly step: (by: 1 | -1) => void
  readonly choose: () => void
  readonly close: () => void
}

/** The keys of every menu; the letters before the items choose them at once. */
export const MENU_KEYS: KeyTable<unknown, MenuMoves> = [
  ...keyRows<unknown, MenuMoves>('Menus', [
    [
      'enter',
      'choose; so does the letter before it',
      { does: ({ choose }) => choose() },
      ['enter choose', 9],
    ],
    ['down j tab', ['j k ↓ ↑', 'move'], { does: ({ step }) => step(1) }, ['j k move', 7]],
    ['up k shift-tab', undefined, { does: ({ step }) => step(-1) }],
    ['esc q', 'leave it alone', { does: ({ close }) => close() }, ['esc leave it alone', 10]],
  ]),
  ...quitKeys<unknown, MenuMoves>('Menus', 8),
]

/** Carries out a key while a menu is open. The keys of its items come first. */
export function pressInMenu<Choice>(
  key: string,
  { menu: { items }, at, go, choose, close }: OpenMenu<Choice>,
  { quit, suspend }: Exits,
): void {
  const byLetter = items.findIndex(each => each.key !== '' && each.key === key)
  const chooseAt = (index: number): void => {
    const item = items[index]
    if (item !== undefined) choose(item, index)
  }
  if (byLetter >= 0) chooseAt(byLetter)
  else
    rowOf(MENU_KEYS, key, undefined)?.does?.({
      step: by => go((at + by + items.length) % Math.max(1, items.length)),
      choose: () => chooseAt(at),
      close,
      quit,
      suspend,
    })
}

/** Columns of the frame around a menu. */
const FRAME = 4

/** The lines of a menu, at most `columns` by `rows`; where not all items fit, those around `at`. */
export function menuBox<Choice>(
  { title, items, note = '' }: Menu<Choice>,
  at: number,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  signs: Signs,
): Line[] {
  const keyWidth = Math.max(...items.map(({ key }) => width(key)), 0)
  const ideaAt = Math.max(0, ...items.map(({ text, idea }) => (idea === undefined ? 0 : width(text))))
  const wanted = items.map(({ text, idea }) => {
    return keyWidth + (idea === undefined ? width(text) : ideaAt + 2 + width(idea)) + 8
  })
  const inner = Math.min(columns - FRAME, Math.max(...wanted, width(title) + 4, width(note), 34))
  const wrapped = (text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : wrap(foreign(text, signs), inner)
  const aboutOf = (item: MenuItem<Choice> | undefined) => item?.off ?? item?.about
  const below = [...wrapped(aboutOf(items[at])), ...wrapped(note)].map(text => line(text, 'dim'))
  // Every item may have more to say than another: the box keeps its height.
  const tallest = Math.max(0, ...items.map(each => wrap(aboutOf(each) ?? '', inner).length))
  const aboutRows = items.some(each => aboutOf(each) !== undefined) ? tallest + 1 : 0
  const noteRows = note === '' ? 0 : wrap(note, inner).length
  const least = Math.max(1, rows - 2 - aboutRows - noteRows)
  const { shown, start, total } = groupedRows(
    items.map(({ heading }) => heading),
    at,
    least,
  )
  const listed = shown.map((row): Line => {
    if (typeof row === 'string') return [span(row, 'title')]
    const { key, text, idea, off } = items[row]!
    const here = row === at
    const tone = off !== undefined ? 'dim' : here ? 'strong' : 'plain'
    return spread(
      [
        span(here ? `${signs.arrowRight} ` : '  ', 'now'),
        span(`${key.padEnd(keyWidth)}${keyWidth > 0 ? '  ' : ''}`, 'name'),
        span(foreign(idea === undefined ? text : text.padEnd(ideaAt + 2), signs), tone),
        span(foreign(idea ?? '', signs), 'dim'),
      ],
      [],
      inner,
      signs,
    )
  })
  const gap = aboutRows > 0 || note !== '' ? [line('')] : []
  const filler = Array.from({ length: Math.max(0, aboutRows + noteRows - below.length - gap.length) }, () =>
    line(''),
  )
  const lines = [...listed, ...gap, ...below, ...filler].slice(0, Math.max(1, rows - 2))
  const position = positionText(start, Math.min(total, least), total)
  return boxed(
    { title: [span(title, 'title')], aside: position === '' ? [] : [span(position, 'dim')], lines },
    inner + FRAME,
    lines.length,
    signs,
  ).map(each => (lineWidth(each) > columns ? each.slice(0, 1) : each))
}
