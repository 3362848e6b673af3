import { defined } from '../../../protocol/values.js'
import { erased, type KeyPress, typed } from './keys.js'
import type { Picking } from './list.js'
import type { Size } from './size.js'
import { type Store, without } from './store.js'

/** One row of a key table: it makes the handler, the hint line, the help page and docs/reference/keys.md. */
export interface KeyRow<State, On> {
  /** Names of keys as in `KeyPress`; none for a row that only hints. */
  readonly keys: readonly string[]
  /** Under which heading the help page lists it. */
  readonly group: string
  /** How the keys and their meaning are written on the help page; absent where another row names them. */
  readonly help?: readonly [keys: string, meaning: string]
  /** How they are written on the hint line, while `when`. The lowest `keep` goes first when space is short. */
  readonly hint?: readonly [text: string, keep: number, when?: (state: State) => boolean]
  /** True when the key does something now; default: always. */
  readonly when?: (state: State) => boolean
  /** The state after the key. */
  readonly change?: (state: State, on: On) => State
  /** Acts after the change. */
  readonly does?: (on: On) => void
}

/** The keys of a screen or of something in front of it, in the order of the hint line. */
export type KeyTable<State, On> = ReadonlyArray<KeyRow<State, On>>

/** A row as a table writes it. Keys have spaces between them; a help without a name of its keys is named by them. */
type Written<State, On> = readonly [
  keys: string | readonly string[],
  help: string | KeyRow<State, On>['help'],
  action: Pick<KeyRow<State, On>, 'change' | 'does'>,
  hint?: KeyRow<State, On>['hint'],
  when?: KeyRow<State, On>['when'],
]

/** The rows of a group of the help page. */
export const keyRows = <State, On>(
  group: string,
  rows: ReadonlyArray<Written<State, On>>,
): KeyTable<State, On> =>
  rows.map(([keys, help, action, hint, when]) => ({
    keys: typeof keys === 'string' ? keys.split(' ').filter(key => key !== '') : keys,
    group,
    ...action,
    ...defined({ help: typeof help === 'string' ? ([String(keys), help] as const) : help, hint, when }),
  }))

/** The row of a key that does something in this state. The first that fits is meant. */
export function rowOf<State, On>(
  table: KeyTable<State, On>,
  key: string,
  state: State,
): KeyRow<State, On> | undefined {
  return table.find(({ keys, when }) => keys.includes(key) && when?.(state) !== false)
}

/** The result of a key in a sentence. A plain string says that the key did it. */
export type Notice = string | { readonly text: string; readonly good: boolean }

/** The state that every screen has beside its own. */
export interface Front {
  /** The page over all panes. */
  readonly page?: 'help' | 'info'
  /** The selected line of the help page. */
  readonly help?: Picking
  /** The result of the last key; the next key removes it. */
  readonly notice?: Notice
  /** The menu that is open over the panes. */
  readonly menu?: Picking
  /** The choices that were made last, by the titles of their menus. */
  readonly chosen?: Readonly<Record<string, string>>
}

/** The ways of a screen to act, whatever it shows. */
export interface Controls<State> {
  readonly store: Store<State>
  /** Leaves the screen; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  /** Leaves the screen with an error. */
  readonly fail: (error: unknown) => void
  /** Gives the terminal back to the shell until the program is continued. */
  readonly suspend: () => void
  /** Writes a control sequence that draws nothing, such as a text for the clipboard. */
  readonly emit: (sequence: string) => void
}

/** A key press at a screen: the state that it meets, and everything that it may act on. */
export type Press<State, Ports = object> = Ports &
  Controls<State> & {
    readonly press: KeyPress
    readonly key: string
    readonly state: State
    readonly size: Size
  }

/** The keys of a screen, and what is in front of its panes. */
export interface ScreenKeys<State, Ports> {
  readonly keys: KeyTable<State, Press<State, Ports>>
  /** Gives the key to the panel, the menu or the text field in front; returns false when there is none. */
  readonly inFront?: (on: Press<State, Ports>) => boolean
}

/** Carries out a key by its row. Returns false for a key without one. */
export function carryOut<State, Ports>(
  table: KeyTable<State, Press<State, Ports>>,
  on: Press<State, Ports>,
): boolean {
  const row = rowOf(table, on.key, on.state)
  const { change, does } = row ?? {}
  if (change) on.store.update(now => change(now, on))
  does?.(on)
  return row !== undefined
}

/** How far a key moves. */
export type Distance = 'line' | 'page' | 'end'

/** More lines than any text has, and more entries than any list. */
const ALL = 1_000_000

/** The lines that a key moves by, where `rows` of them are seen at once. */
export function linesOf(by: 1 | -1, distance: Distance, rows: number): number {
  return by * { line: 1, page: Math.max(1, rows - 1), end: ALL }[distance]
}

type When<State> = (state: State) => boolean

/** The decisions of a screen about the keys that move. */
export interface MoveKeysOptions<State> {
  /** Their meaning on the help page. */
  readonly meaning?: 'move' | 'move or scroll'
  readonly hint?: KeyRow<State, never>['hint']
  /** A second hint, for a state in which the keys have another meaning. */
  readonly otherHint?: KeyRow<State, never>['hint']
  /** True when Tab moves too, because there are no panes. */
  readonly byTab?: boolean
  /** Their heading on the help page; default: Everywhere. */
  readonly group?: string
  readonly when?: When<State>
}

/** The keys that move by a line or a page, or to an end. */
export function moveKeys<State, On>(
  move: (on: On, by: 1 | -1, distance: Distance) => void,
  {
    meaning = 'move or scroll',
    hint,
    otherHint,
    byTab = false,
    group = 'Everywhere',
    when,
  }: MoveKeysOptions<State> = {},
): KeyTable<State, On> {
  const moves = (by: 1 | -1, distance: Distance) => ({ does: (on: On) => move(on, by, distance) })
  return keyRows<State, On>(group, [
    [byTab ? 'j down tab' : 'j down', ['j k ↓ ↑', meaning], moves(1, 'line'), hint, when],
    [byTab ? 'k up shift-tab' : 'k up', undefined, moves(-1, 'line'), otherHint, when],
    ['ctrl-f pagedown', ['^f ^b', 'page down, page up'], moves(1, 'page'), undefined, when],
    ['ctrl-b pageup', undefined, moves(-1, 'page'), undefined, when],
    ['g home', ['g G', 'first, last'], moves(-1, 'end'), undefined, when],
    ['G end', undefined, moves(1, 'end'), undefined, when],
  ])
}

/** The panes of a screen, and the keys that go to them. */
export interface PaneKeysOptions<State, Pane> {
  readonly panes: readonly Pane[]
  /** The panes that Tab goes through; default: all. */
  readonly shown?: (state: State) => readonly Pane[]
  readonly to: (state: State, pane: Pane) => State
  readonly keep: number
  /** Their numbers on the help page. */
  readonly help: readonly [keys: string, meaning: string]
  readonly when?: When<State>
}

/** The keys that go from pane to pane, and to a pane by its number. */
export function paneKeys<Pane, State extends { readonly pane: Pane }, On extends { readonly key: string }>({
  panes,
  shown = () => panes,
  to,
  keep,
  help,
  when = () => true,
}: PaneKeysOptions<State, Pane>): KeyTable<State, On> {
  const next = (by: number) => (state: State) => {
    const all = shown(state)
    return to(state, all[(all.indexOf(state.pane) + by + all.length) % all.length]!)
  }
  return keyRows<State, On>('Everywhere', [
    ['tab', 'next pane', { change: next(1) }, ['tab pane', keep], when],
    ['shift-tab', undefined, { change: next(-1) }, undefined, when],
    [
      panes.map((_, i) => String(i + 1)),
      help,
      { change: (state, { key }) => to(state, panes[Number(key) - 1]!) },
      undefined,
      when,
    ],
  ])
}

/**
 * The keys for help, for the way back, and for the way out.
 * @param back the state one thing back, without a page over it
 * @param isBack true where `q` goes back too, and does not quit
 */
export function exitKeys<State extends Front, On extends Controls<State>>(
  back: (state: State) => State,
  isBack: (state: State) => boolean,
  meaning = 'back',
): KeyTable<State, On> {
  const closed = (state: State): State => without(state, 'page') as State
  const backFrom = (state: State): State => (state.page ? closed(state) : back(state))
  return keyRows<State, On>('Everywhere', [
    ['?', 'this help', { change: state => ({ ...state, page: 'help' }) }, ['? help', 10]],
    ['esc', meaning, { change: backFrom }],
    [
      'q',
      'back, or quit',
      {
        does: ({ store, quit }) =>
          store.get().page || isBack(store.get()) ? store.update(backFrom) : quit(false),
      },
      ['q quit', 10],
    ],
    ['Q', ['Q ^C', 'quit now'], { does: ({ quit }) => quit(false) }],
    ['ctrl-c', undefined, { does: ({ quit }) => quit(true) }],
    ['ctrl-z', ['^Z', 'suspend'], { does: ({ suspend }) => suspend() }],
  ])
}

/** The ways out of a screen. */
export type Exits = Pick<Controls<unknown>, 'quit' | 'suspend'>

/** The ways out of a table that takes `q` and Esc for something else. */
export function quitKeys<State, On extends Exits>(group: string, keep = 10): KeyTable<State, On> {
  return keyRows<State, On>(group, [
    ['Q', ['Q ^C', 'quit now'], { does: ({ quit }) => quit(false) }, ['^C quit', keep]],
    ['ctrl-c', undefined, { does: ({ quit }) => quit(true) }],
    ['ctrl-z', undefined, { does: ({ suspend }) => suspend() }],
  ])
}

/** A line that is typed. */
export interface TypedLine {
  readonly text: string
  readonly change: (text: string) => void
  readonly accept: () => void
  readonly cancel: () => void
  /** Longest line, in characters. */
  readonly longest?: number
  /** Further keys, by their names. */
  readonly others?: Readonly<Record<string, () => void>>
}

/** The keys while a value, or what is searched for, is typed. Every other key types itself. */
export const EDIT_KEYS: KeyTable<unknown, TypedLine & Exits> = keyRows('While typing', [
  ['enter', 'done', { does: ({ accept }) => accept() }, ['enter done', 9]],
  ['esc', 'cancel', { does: ({ cancel }) => cancel() }, ['esc cancel', 8]],
  ['backspace', 'erase a character', { does: ({ change, text }) => change(erased(text)) }],
  ['ctrl-u', ['^u', 'erase all'], { does: ({ change }) => change('') }, ['^u clear', 7]],
  ['ctrl-c', ['^C', 'quit now'], { does: ({ quit }) => quit(true) }, ['^C quit', 10]],
  ['ctrl-z', undefined, { does: ({ suspend }) => suspend() }],
])

/** Carries out a key press while a line is typed. */
export function pressInLine({ name, text }: KeyPress, line: TypedLine, exits: Exits): void {
  const { others = {}, longest, change } = line
  const row = rowOf(EDIT_KEYS, name, undefined)
  if (Object.hasOwn(others, name)) others[name]!()
  else if (row) row.does?.({ ...exits, ...line })
  else if (text !== '') change(typed(line.text, text, longest))
}

/** Longest filter, in characters. */
const MAX_FILTER = 200

/** The state of a list while a filter is typed. */
export interface Filtering {
  /** The filter as it was before. */
  readonly typing?: { readonly before: string }
}

/** Begins to type a filter. `filterOf`: the filter to come back to. */
export const typesFilter = <State extends Filtering>(filterOf: (state: State) => string | undefined) => ({
  change: (state: State): State => ({ ...state, typing: { before: filterOf(state) ?? '' } }),
})

/**
 * Carries out a key press while a filter is typed.
 * @param before the filter to come back to
 * @param set gives the list another filter; `done`: it is no longer typed
 */
export function pressInFilterLine(
  { press, quit, suspend }: Exits & { readonly press: KeyPress },
  filter: string,
  before: string,
  set: (filter: string, done: boolean) => void,
  others: TypedLine['others'] = {},
): void {
  const line: TypedLine = {
    text: filter,
    longest: MAX_FILTER,
    change: text => set(text, false),
    accept: () => set(filter, true),
    cancel: () => set(before, true),
    others,
  }
  pressInLine(press, line, { quit, suspend })
}

/** Carries out a key press while the filter of a screen is typed. `set` gives a state another filter. */
export function pressInFilter<State extends Filtering>(
  on: Press<State>,
  filter: string,
  set: (state: State, filter: string) => State,
  others?: TypedLine['others'],
): void {
  const change = (text: string, done: boolean) =>
    on.store.update(now => set(done ? (without(now, 'typing') as State) : now, text))
  pressInFilterLine(on, filter, on.state.typing?.before ?? '', change, others)
}
