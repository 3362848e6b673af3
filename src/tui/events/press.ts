import { USUAL_FIELDS } from '../../render/events-summary.js'
import { jsonLine } from '../../render/json-line.js'
import { clipboardSequence } from '../screen/clipboard.js'
import type { KeyPress } from '../screen/keys.js'
import { erased, typed } from '../screen/line-input.js'
import { menuPress } from '../screen/menu.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import type { FrameContext } from './context.js'
import { valueAt, valueCount } from './counts.js'
import { exportMenu, exportName } from './exports.js'
import { scrollLimit } from './frame.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import { layOut } from './layout.js'
import { listed, selected } from './listed.js'
import type { EventsOffers } from './offers.js'
import type { EventsState } from './state.js'
import { PANES } from './state.js'

/** The objects that keys act on. */
export interface PressPorts {
  readonly store: Store<EventsState, Action>
  readonly offers: EventsOffers
  readonly context: () => FrameContext
  /** Leaves the screen; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  /** Gives the terminal back to the shell until the program is continued. */
  readonly suspend: () => void
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
}

/** More lines than anything has. */
const ALL = 1_000_000

/** A filter is a list of words: a value with spaces in it is named by its first word. */
const filterOn = ({ field, value }: { field: string; value: string }): string =>
  `${field}:${value.split(' ')[0] ?? ''}`

/** Makes the function that carries a key press out. */
export function createPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, context, quit, suspend, emit } = ports
  const { dispatch, get } = store
  const tell = (text: string): void => dispatch({ type: 'notice', text })
  const later = (work: Promise<string>): void => {
    work.then(tell, (error: unknown) => tell(error instanceof Error ? error.message : String(error)))
  }

  function copy(): void {
    const event = selected(get())
    if (event === undefined) return
    const text = jsonLine(event)
    const sequence = clipboardSequence(text)
    if (sequence !== undefined) emit(sequence)
    if (sequence !== undefined && offers.clipboard) {
      tell(`copied event ${event.ray_id}`)
      return
    }
    const said =
      sequence === undefined ? 'too long for a clipboard' : 'copied; if your terminal has no clipboard'
    later(offers.keepCopy(`${text}\n`).then(name => `${said}: it is in ${name}`))
  }

  function exported(at: number): void {
    const state = get()
    const { now } = context()
    const item = exportMenu(now).items[at]
    const one = selected(state)
    dispatch({ type: 'back' })
    if (item === undefined || one === undefined) return
    const events = item.choice === 'post' ? [one] : listed(state).events
    const text = offers.written(item.choice, events)
    later(offers.save(exportName(item.choice, now), text).then(name => `written: ${name}`))
  }

  function inMenu(key: string, at: number): void {
    const menu = exportMenu(context().now)
    const pressed = menuPress(menu, key)
    if (pressed === undefined) return
    if ('item' in pressed) {
      exported(pressed.item)
      return
    }
    const count = menu.items.length
    const does = {
      choose: () => exported(at),
      next: () => dispatch({ type: 'menu', at: (at + 1) % count }),
      previous: () => dispatch({ type: 'menu', at: (at + count - 1) % count }),
      close: () => dispatch({ type: 'back' }),
      quit: () => quit(false),
      interrupt: () => quit(true),
      suspend,
    }
    does[pressed.command]()
  }

  function inFilter({ name, text }: KeyPress): void {
    const { filter } = get()
    const does: Readonly<Record<string, () => void>> = {
      'ctrl-c': () => quit(true),
      'ctrl-z': suspend,
      'ctrl-u': () => dispatch({ type: 'filter', text: '' }),
      enter: () => dispatch({ type: 'endFilter', keep: true }),
      esc: () => dispatch({ type: 'endFilter', keep: false }),
      backspace: () => dispatch({ type: 'filter', text: erased(filter) }),
    }
    if (Object.hasOwn(does, name)) does[name]!()
    else if (text !== '') dispatch({ type: 'filter', text: typed(filter, text, 200) })
  }

  function go(by: number, size: Size, page = false): void {
    const state = get()
    const { list, counts, lower, single } = layOut(size)
    const lines = (rows: number) => (page ? by * Math.max(1, rows - 1) : by)
    if (state.open === undefined && state.pane === 'events') {
      dispatch({ type: 'move', by: lines(list.rows), rows: list.rows })
    } else if (state.open === undefined && state.pane === 'counts') {
      dispatch({ type: 'value', by: lines(counts.rows), rows: Math.min(counts.rows, valueCount(state)) })
    } else {
      const rows = state.open === undefined ? lower.rows : single.rows
      dispatch({ type: 'scroll', by: lines(rows), limit: scrollLimit(state, size, context()) })
    }
  }

  function aside(by: 1 | -1, size: Size): void {
    if (get().open === undefined) dispatch({ type: 'field', by, fields: USUAL_FIELDS.length })
    else dispatch({ type: 'move', by, rows: layOut(size).list.rows })
  }

  function last(size: Size): void {
    const { open, pane, cursor } = get()
    const inList = open === undefined && pane === 'events'
    if (!inList) go(ALL, size)
    else if (cursor.at !== undefined) dispatch({ type: 'follow' })
  }

  function perform(command: Command, key: string, size: Size): void {
    const state = get()
    const does: Readonly<Record<Command, () => void>> = {
      open: () => dispatch({ type: 'open' }),
      only: () => {
        const at = valueAt(state)
        if (at !== undefined) dispatch({ type: 'filter', text: filterOn(at) })
      },
      left: () => aside(-1, size),
      right: () => aside(1, size),
      nextPane: () => dispatch({ type: 'nextPane', by: 1 }),
      previousPane: () => dispatch({ type: 'nextPane', by: -1 }),
      pane: () => dispatch({ type: 'pane', pane: PANES[Number(key) - 1] ?? 'events' }),
      down: () => go(1, size),
      up: () => go(-1, size),
      pageDown: () => go(1, size, true),
      pageUp: () => go(-1, size, true),
      first: () => go(-ALL, size),
      last: () => last(size),
      filter: () => dispatch({ type: 'startFilter' }),
      follow: () => dispatch({ type: 'follow' }),
      export: () => dispatch({ type: 'menu', at: 0 }),
      copy,
      help: () => dispatch({ type: 'help' }),
      back: () => dispatch({ type: 'back' }),
      leave: () => (state.help || state.open ? dispatch({ type: 'back' }) : quit(false)),
      quit: () => quit(false),
      interrupt: () => quit(true),
      suspend,
    }
    does[command]()
  }

  return (press, size) => {
    if (get().notice !== undefined) tell('')
    const state = get()
    const command = commandOf(press.name, state)
    if (state.typing) inFilter(press)
    else if (state.menu !== undefined) inMenu(press.name, state.menu)
    else if (command !== undefined) perform(command, press.name, size)
  }
}
