import { ruleLine } from '../../render/steps/exchange-lines.js'
import type { Signs } from '../../render/text/signs.js'
import { fillLine, foreign, type Line, line, lineWidth, span, spread } from '../../render/text/spans.js'
import { pad, width, wrap } from '../../render/text/text.js'
import { type Front, type KeyRow, type KeyTable, rowOf } from './key-rows.js'
import { NOTHING_FITS, type Pickable, type Picking, picked } from './list.js'
import { frameHeight, type Size } from './size.js'
import { without } from './store.js'

/** Names of keys for a terminal: arrows spelt out when it has no arrows. */
export function spellKeys(text: string, signs: Signs): string {
  if (!signs.ascii) return text
  return text.replace('← →', '<- ->').replace('←→', '<- ->').replace('↓ ↑', 'down up')
}

/** A key table whose state does not matter. */
export type HelpRow = Pick<KeyRow<never, never>, 'keys' | 'group' | 'help'>

/** A line of the help page: how its keys are written, their meaning, and the key that stands for them. */
interface HelpEntry extends Pickable {
  readonly group: string
  readonly keys: string
  readonly key: string
}

/** The lines of a help page by their groups. @param works true for a key that does something now */
export function helpEntries(table: readonly HelpRow[], works: (key: string) => boolean): HelpEntry[] {
  const entries = table.flatMap(({ group, help, keys }): HelpEntry[] => {
    if (help === undefined) return []
    const key = keys[0] ?? ''
    const off = works(key) ? undefined : `${help[0]}: ${help[1]} has nothing to do here`
    return [{ group, keys: help[0], key, name: help[1], text: `${group} ${help[0]} ${help[1]}`, off }]
  })
  return entries.sort((a, b) => (a.group < b.group ? -1 : a.group > b.group ? 1 : 0))
}

/** The state behind the help page. */
export const behindHelp = <State extends Front>(state: State): State =>
  without(state, 'page', 'help') as State

/** The help page of a screen as a list to choose from. It lists too what has nothing to do in the state behind it. */
export function helpOf<State extends Front>(
  keys: KeyTable<State, never>,
  state: State,
): Pick<HelpPage, 'entries' | 'picking'> {
  const behind = behindHelp(state)
  const entries = helpEntries(keys, key => rowOf(keys, key, behind) !== undefined)
  return { entries, picking: { ...state.help, all: true } }
}

/** Columns of a cell where two share a line. */
const halfOf = (columns: number): number => Math.floor((columns - 1) / 2)

/** Two cells a line, read down and then across. */
function inColumns(all: readonly Line[], columns: number, signs: Signs): Line[] {
  const rows = Math.ceil(all.length / 2)
  return all
    .slice(0, rows)
    .map((cell, i) => [...fillLine(cell, halfOf(columns), signs), ...(all[i + rows] ?? [])])
}

/** The contents of a help page. Its notes stand below the list. */
interface HelpPage {
  readonly entries: readonly HelpEntry[]
  readonly picking: Picking
  readonly notes: readonly string[]
}

/**
 * The help page of a screen, made of its key table: a list with a section for each of its groups, and notes below.
 * Two keys share a line. Each has its own where a text would be cut otherwise and the frame has enough lines.
 */
export function helpLines({ entries, picking, notes }: HelpPage, size: Size, signs: Signs): Line[] {
  const { columns } = size
  const { listed, at } = picked(entries, picking)
  const cell = (i: number): Line => {
    const { keys, name, off } = entries[i]!
    const here = i === listed[at]
    const tone = here ? 'strong' : off === undefined ? 'plain' : 'dim'
    const pointer = span(here ? `${signs.arrowRight} ` : '  ', 'now')
    return [pointer, span(pad(spellKeys(keys, signs), 9), 'name'), span(name, tone)]
  }
  const names = [...new Set(listed.map(i => entries[i]!.group))]
  const groups = names.map(name => ({
    name,
    all: listed.filter(i => entries[i]!.group === name).map(cell),
  }))
  const { filter = '', typing } = picking
  const hints = typing ? 'enter keep   esc cancel ' : 'enter do it   / filter   esc back '
  const found = typing
    ? [span('   /', 'name'), span(foreign(filter, signs)), span(signs.caret, 'now')]
    : [span(filter === '' ? '' : `   filter ${foreign(filter, signs)}`)]
  const title = [span(' oauth-lab  ', 'title'), span('keys'), ...found]
  const page = (arrange: (all: readonly Line[]) => readonly Line[]): Line[] => [
    spread(title, [span(hints, 'dim')], columns, signs),
    ...groups.flatMap(({ name, all }) => [
      ruleLine([span(name, 'title')], [], columns, signs),
      ...arrange(all),
    ]),
    ...(listed.length > 0 ? [] : [line(` ${NOTHING_FITS}`, 'dim')]),
    ...(notes.length > 0 ? [line('')] : []),
    ...notes.flatMap(note => wrap(note, columns - 2).map(part => line(` ${part}`, 'dim'))),
  ]
  const cut = groups.some(({ all }) => {
    const left = Math.ceil(all.length / 2)
    const roomOf = (i: number) => (i < left ? halfOf(columns) : columns - halfOf(columns))
    return all.some((cell, i) => lineWidth(cell) > roomOf(i))
  })
  const long = page(all => all)
  return cut && long.length <= frameHeight(size) ? long : page(all => inColumns(all, columns, signs))
}

/** A hint and how long it stays when space is short. */
export interface Hint {
  readonly text: string
  readonly keep: number
}

/** As many hints as fit into `columns`: the one to keep least goes first, the order stays. */
export function hintLine(hints: readonly Hint[], columns: number, gap: number): Line {
  const kept = [...hints]
  const text = (): string => ` ${kept.map(hint => hint.text).join(' '.repeat(gap))}`
  while (kept.length > 1 && width(text()) > columns) {
    const least = Math.min(...kept.map(({ keep }) => keep))
    kept.splice(
      kept.findIndex(({ keep }) => keep === least),
      1,
    )
  }
  return line(text(), 'dim')
}
