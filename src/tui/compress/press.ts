import { clipboardSequence } from '../screen/clipboard.js'
import type { KeyPress } from '../screen/keys.js'
import { menuPress } from '../screen/menu.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import { commandsOf, exportMenu, exportName, exportText } from './exports.js'
import type { FrameContext } from './frame.js'
import { layoutOf, scrollLimit } from './frame.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import type { CompressOffers } from './offers.js'
import type { Action, CompressState } from './state.js'
import { selectedCase } from './state.js'

/** The objects that keys act on. */
export interface PressPorts {
  readonly store: Store<CompressState, Action>
  readonly offers: CompressOffers
  readonly context: () => FrameContext
  /** Measures what is not known yet. */
  readonly measure: () => void
  /** Forgets what is being measured. */
  readonly forget: () => void
  /** Leaves the screen; by Ctrl-C when `interrupted`. */
  readonly quit: (interrupted: boolean) => void
  readonly suspend: () => void
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
}

/** More lines and cases than there are. */
const ALL = 1_000

/** The one after `here`; the first one behind the last, and for one that is not among them. */
function after<T>(all: readonly T[], here: T): T {
  return all[(all.indexOf(here) + 1) % all.length]!
}

/** Makes the function that carries a key press out. */
export function createPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, context, measure, forget, quit, suspend, emit } = ports
  const { dispatch, get } = store
  const tell = (text: string): void => dispatch({ type: 'notice', text })
  const later = (work: Promise<string>): void => {
    work.then(tell, (error: unknown) => tell(error instanceof Error ? error.message : String(error)))
  }

  function changeOffer(): void {
    const setting = selectedCase(get())
    dispatch({ type: 'change', setting: { ...setting, offer: after(offers.offers, setting.offer) } })
    measure()
  }

  function changeMode(): void {
    const setting = selectedCase(get())
    if (setting.mode === null) {
      tell(`case ${setting.name} has no proxy: another case with → first`)
      return
    }
    const mode = after(offers.modes, setting.mode)
    const known = offers.cases.find(each => each.name === setting.name && each.mode === mode)
    dispatch({ type: 'change', setting: { ...setting, mode, title: known?.title ?? `proxy --mode ${mode}` } })
    tell(`${mode}: ${offers.meanings[mode]}`)
    measure()
  }

  function copy(): void {
    const text = commandsOf(get(), offers.server)
    emit(clipboardSequence(text) ?? '')
    if (offers.clipboard) tell('copied the equal commands')
    else
      later(
        offers
          .keepCopy(`${text}\n`)
          .then(name => `copied; if your terminal has no clipboard: it is in ${name}`),
      )
  }

  function exported(at: number): void {
    const state = get()
    const { now, signs } = context()
    const item = exportMenu(state, now).items[at]
    dispatch({ type: 'back' })
    if (item === undefined) return
    if (item.off !== undefined) {
      tell(`not written: ${item.off}`)
      return
    }
    const text = exportText(state, item.choice, { ...offers, ascii: signs.ascii })
    later(offers.save(exportName(item.choice, now), text).then(name => `written: ${name}`))
  }

  function inMenu(key: string, at: number): void {
    const menu = exportMenu(get(), context().now)
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

  function perform(command: Command, key: string, size: Size): void {
    const state = get()
    const page = Math.max(1, layoutOf(state, size).why.rows - 1)
    /** Lines of the reasons, or cases. */
    const go = (lines: number, cases: number): void => {
      if (state.pane === 'hops') dispatch({ type: 'select', by: cases })
      else dispatch({ type: 'scroll', by: lines, limit: scrollLimit(state, size, context()) })
    }
    const other = state.pane === 'hops' ? 'why' : 'hops'
    const does: Readonly<Record<Command, () => void>> = {
      next: () => dispatch({ type: 'select', by: 1 }),
      previous: () => dispatch({ type: 'select', by: -1 }),
      body: () => {
        dispatch({ type: 'path', path: after(offers.paths, state.path) })
        measure()
      },
      offer: changeOffer,
      mode: changeMode,
      reset: () => {
        forget()
        dispatch({ type: 'reset', cases: offers.cases, path: offers.paths[0] ?? state.path })
        measure()
      },
      otherPane: () => dispatch({ type: 'pane', pane: other }),
      pane: () => dispatch({ type: 'pane', pane: key === '1' ? 'hops' : 'why' }),
      down: () => go(1, 1),
      up: () => go(-1, -1),
      pageDown: () => go(page, ALL),
      pageUp: () => go(-page, -ALL),
      first: () => go(-ALL, -ALL),
      last: () => go(ALL, ALL),
      export: () => dispatch({ type: 'menu', at: 0 }),
      copy,
      help: () => dispatch({ type: 'help' }),
      back: () => dispatch({ type: 'back' }),
      leave: () => (state.help ? dispatch({ type: 'back' }) : quit(false)),
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
    if (state.menu !== undefined) inMenu(press.name, state.menu)
    else if (command !== undefined) perform(command, press.name, size)
  }
}
