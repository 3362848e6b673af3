import { defined } from '../../../protocol/values.js'
import type { Signs } from '../../render/text/signs.js'
import { foreign, type Line, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { width, wrap } from '../../render/text/text.js'
import type { Front, Press } from './key-rows.js'
import { groupedRows, NOTHING_FITS, type Pickable, type Picking, picked, positionText } from './list.js'
import { boxed } from './panes.js'
import { pressInPicker } from './picker.js'
import { without } from './store.js'

/** A choice of a menu. */
export interface MenuItem<Choice> {
  readonly choice: Choice
  /** The key that chooses it at once; empty for none. */
  readonly key: string
  readonly text: string
  /** The heading above the first of its group. */
  readonly heading?: string
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

/** The choices of a menu as its list needs them. */
const choicesOf = ({ items }: Menu<unknown>): Pickable[] =>
  items.map(({ text, heading = '', about = '', off }) => ({
    name: text,
    text: `${text} ${heading} ${about}`,
    off,
  }))

/** A menu that was just opened. The choice that was made last comes first. @param at the item to select where there is none */
export function opened(menu: string, { chosen }: Front, at?: number): Picking {
  const last = chosen?.[menu]
  return defined({ last, at: last === undefined ? at : undefined })
}

/**
 * Carries out a key press while a menu is open. The letters of its items come first. An item that cannot be chosen says
 * why, and the menu stays.
 */
export function pressInMenu<State extends Front, Choice>(
  on: Press<State>,
  menu: Menu<Choice>,
  choose: (item: MenuItem<Choice>) => void,
): void {
  const { store, press, state } = on
  const picking = state.menu ?? {}
  const change = (next: Picking): void => store.update(now => ({ ...now, menu: { ...now.menu, ...next } }))
  const close = (): void => store.update(now => without(now, 'menu') as State)
  const chooseAt = (index: number): void => {
    const item = menu.items[index]!
    const { off, text } = item
    if (off !== undefined) {
      const notice = { text: `${text}: ${off}`, good: false }
      store.update(now => ({ ...now, menu: { ...now.menu, all: true, at: index }, notice }))
      return
    }
    close()
    store.update(now => ({ ...now, chosen: { ...now.chosen, [menu.title]: text } }))
    choose(item)
  }
  const byLetter = picking.typing ? -1 : menu.items.findIndex(({ key }) => key !== '' && key === press.name)
  if (byLetter >= 0) chooseAt(byLetter)
  else pressInPicker(on, choicesOf(menu), { picking, change, close, choose: chooseAt })
}

/** Columns of the frame around a menu. */
const FRAME = 4

/** The last line of the list: what is typed to narrow it, or what is not listed. */
function narrowed({ filter = '', typing, all }: Picking, hidden: number, off: number, signs: Signs): Line[] {
  if (typing) return [[span('/', 'name'), span(foreign(filter, signs)), span(signs.caret, 'now')]]
  const held = filter === '' ? [] : [`filter ${foreign(filter, signs)}`]
  const count = hidden > 0 ? [`${hidden} hidden that ${hidden === 1 ? 'does' : 'do'} not apply: a shows`] : []
  const shown = all && off > 0 ? ['a hides what does not apply'] : []
  const text = [...held, ...count, ...shown].join('   ')
  return text === '' ? [] : [line(text, 'dim')]
}

/** Columns that the longest sentence about the list takes. */
const LEAST = 42

/** The heading of the choice that was made last. */
const LAST = 'Chosen last'

/** The lines of a menu, at most `columns` by `rows`; where not all items fit, those around the selected one. */
export function menuBox<Choice>(
  menu: Menu<Choice>,
  picking: Picking,
  { columns, rows }: { readonly columns: number; readonly rows: number },
  signs: Signs,
): Line[] {
  const { title, items, note = '' } = menu
  const { listed, at, hidden } = picked(choicesOf(menu), picking)
  const keyWidth = Math.max(...items.map(({ key }) => width(key)), 0)
  const wanted = items.map(({ text }) => keyWidth + width(text) + 8)
  const off = items.filter(each => each.off !== undefined).length
  const found = narrowed(picking, hidden, off, signs)
  const least = Math.max(width(title) + 4, width(note), ...found.map(lineWidth), LEAST)
  const inner = Math.min(columns - FRAME, Math.max(...wanted, least))
  const wrapped = (text: string | undefined): string[] =>
    text === undefined || text === '' ? [] : wrap(foreign(text, signs), inner)
  const aboutOf = (item: MenuItem<Choice> | undefined) => item?.off ?? item?.about
  const below = [...wrapped(aboutOf(items[listed[at] ?? -1])), ...wrapped(note)].map(text =>
    line(text, 'dim'),
  )
  // Every item may have more to say than another: the box keeps its height.
  const tallest = Math.max(0, ...items.map(each => wrap(aboutOf(each) ?? '', inner).length))
  const aboutRows = items.some(each => aboutOf(each) !== undefined) ? tallest + 1 : 0
  const noteRows = note === '' ? 0 : wrap(note, inner).length
  const room = Math.max(1, rows - 2 - aboutRows - noteRows - found.length)
  const headed = items.some(({ heading }) => heading !== undefined)
  const headings = listed.map(i => {
    const { heading, text } = items[i]!
    return headed && text === picking.last ? LAST : heading
  })
  const { shown, start, total } = groupedRows(headings, at, room)
  const rowLine = (place: number): Line => {
    const { key, text, off } = items[listed[place]!]!
    const here = place === at
    const tone = off !== undefined ? 'dim' : here ? 'strong' : 'plain'
    return spread(
      [
        span(here ? `${signs.arrowRight} ` : '  ', 'now'),
        span(`${key.padEnd(keyWidth)}${keyWidth > 0 ? '  ' : ''}`, 'name'),
        span(foreign(text, signs), tone),
      ],
      [],
      inner,
      signs,
    )
  }
  const list =
    listed.length === 0
      ? [line(NOTHING_FITS, 'dim')]
      : shown.map(row => (typeof row === 'string' ? [span(row, 'title')] : rowLine(row)))
  const gap = aboutRows > 0 || note !== '' ? [line('')] : []
  const filler = Array.from({ length: Math.max(0, aboutRows + noteRows - below.length - gap.length) }, () =>
    line(''),
  )
  const lines = [...list, ...found, ...gap, ...below, ...filler].slice(0, Math.max(1, rows - 2))
  const position = positionText(start, Math.min(total, room), total)
  return boxed(
    { title: [span(title, 'title')], aside: position === '' ? [] : [span(position, 'dim')], lines },
    inner + FRAME,
    lines.length,
    signs,
  ).map(each => (lineWidth(each) > columns ? each.slice(0, 1) : each))
}
