import type { KeyPress } from './keys.js'
import { erased, typed } from './line-input.js'
import { type Menu, type MenuCommand, menuPress } from './menu.js'
import type { ScreenCommand } from './screen-keys.js'
import type { Size } from './size.js'

/** The ways out of a screen. */
export interface Exits {
  /** Leaves the screen; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  /** Gives the terminal back to the shell until the program is continued. */
  readonly suspend: () => void
}

/** How far a key moves. */
export type Distance = 'line' | 'page' | 'end'

/** The meaning of commands in one state of a screen. */
export interface Actions<Own extends string> {
  move(by: 1 | -1, distance: Distance): void
  help(): void
  back(): void
  /** True when there is something to go back from; else `q` quits. */
  readonly canGoBack: boolean
  /** The commands that this screen alone has. */
  readonly own: Readonly<Record<Own, () => void>>
}

/** The parts of a screen that keys act on. */
export interface PressParts<State, Own extends string> extends Exits {
  readonly get: () => State
  readonly commandOf: (key: string, state: State) => Own | ScreenCommand | undefined
  /** Removes the notice that the last key left. */
  readonly clearNotice: () => void
  /** Gives the key to the panel, the menu or the text field in front; returns false when there is none. */
  readonly pressInFront: (press: KeyPress, size: Size) => boolean
  readonly actions: (state: State, key: string, size: Size) => Actions<Own>
}

/** Makes the function that carries out a key press. */
export function createPress<State, Own extends string>(
  parts: PressParts<State, Own>,
): (press: KeyPress, size: Size) => void {
  const { get, commandOf, clearNotice, pressInFront, actions, quit, suspend } = parts
  return (press, size) => {
    clearNotice()
    if (pressInFront(press, size)) return
    const state = get()
    const command = commandOf(press.name, state)
    if (command === undefined) return
    const { move, help, back, canGoBack, own } = actions(state, press.name, size)
    const common: Readonly<Record<ScreenCommand, () => void>> = {
      down: () => move(1, 'line'),
      up: () => move(-1, 'line'),
      pageDown: () => move(1, 'page'),
      pageUp: () => move(-1, 'page'),
      first: () => move(-1, 'end'),
      last: () => move(1, 'end'),
      help,
      back,
      leave: () => (canGoBack ? back() : quit(false)),
      quit: () => quit(false),
      interrupt: () => quit(true),
      suspend,
    }
    const does: Readonly<Record<Own | ScreenCommand, () => void>> = { ...own, ...common }
    does[command]()
  }
}

/** A filter that is being typed. */
export interface OpenFilter extends Exits {
  readonly text: string
  readonly change: (text: string) => void
  readonly end: (keep: boolean) => void
  /** Moves in the list that is filtered; left out: the arrows do nothing. */
  readonly move?: (by: 1 | -1) => void
}

/** Longest filter, in characters. */
const MAX_FILTER = 200

/** Carries out a key press while a filter is typed. */
export function pressInFilter({ name, text }: KeyPress, filter: OpenFilter): void {
  const { change, end, move, quit, suspend } = filter
  const does: Readonly<Record<string, () => void>> = {
    'ctrl-c': () => quit(true),
    'ctrl-z': suspend,
    'ctrl-u': () => change(''),
    enter: () => end(true),
    esc: () => end(false),
    backspace: () => change(erased(filter.text)),
    ...(move && { down: () => move(1), up: () => move(-1) }),
  }
  if (Object.hasOwn(does, name)) does[name]!()
  else if (text !== '') change(typed(filter.text, text, MAX_FILTER))
}

/** A menu that is open. */
export interface OpenMenu<Choice> extends Exits {
  readonly menu: Menu<Choice>
  /** Index of the item that Enter chooses. */
  readonly at: number
  readonly go: (at: number) => void
  readonly choose: (at: number) => void
  readonly close: () => void
}

/** Carries out a key while a menu is open. */
export function pressInMenu<Choice>(key: string, open: OpenMenu<Choice>): void {
  const { menu, at, go, choose, close, quit, suspend } = open
  const pressed = menuPress(menu, key)
  if (pressed === undefined) return
  if ('item' in pressed) {
    choose(pressed.item)
    return
  }
  const count = Math.max(1, menu.items.length)
  const does: Readonly<Record<MenuCommand, () => void>> = {
    choose: () => choose(at),
    next: () => go((at + 1) % count),
    previous: () => go((at + count - 1) % count),
    close,
    quit: () => quit(false),
    interrupt: () => quit(true),
    suspend,
  }
  does[pressed.command]()
}
