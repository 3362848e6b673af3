import type { KeyPress } from '../screen/keys.js'
import { createNotices } from '../screen/notices.js'
import { createPress, type Distance, type Exits, pressInMenu } from '../screen/press.js'
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

/** The parts of the compression lab that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<CompressState, Action>
  readonly offers: CompressOffers
  readonly context: () => FrameContext
  /** Measures what is not known yet. */
  readonly measure: () => void
  /** Forgets what is being measured. */
  readonly forget: () => void
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
}

/** More lines than the reasons have, and more cases than a lab has. */
const ALL = 1_000

/** The next item, wrapping to the first. Returns the first item when `here` is not in the list. */
function after<T>(all: readonly T[], here: T): T {
  return all[(all.indexOf(here) + 1) % all.length]!
}

/** Makes the function that carries out a key press. */
export function createCompressPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, context, measure, forget, quit, suspend, emit } = ports
  const { dispatch, get } = store
  const notices = createNotices({ store, offers, emit })

  function changeOffer(): void {
    const setting = selectedCase(get())
    dispatch({ type: 'change', setting: { ...setting, offer: after(offers.offers, setting.offer) } })
    measure()
  }

  function changeMode(): void {
    const setting = selectedCase(get())
    if (setting.mode === null) {
      notices.show(`case ${setting.name} has no proxy: another case with → first`)
      return
    }
    const mode = after(offers.modes, setting.mode)
    const known = offers.cases.find(each => each.name === setting.name && each.mode === mode)
    dispatch({ type: 'change', setting: { ...setting, mode, title: known?.title ?? `proxy --mode ${mode}` } })
    notices.show(`${mode}: ${offers.meanings[mode]}`)
    measure()
  }

  function copy(): void {
    notices.copy(commandsOf(get(), offers.server), 'copied the equal commands')
  }

  function exported(at: number): void {
    const state = get()
    const { now, signs } = context()
    const item = exportMenu(state, now).items[at]
    dispatch({ type: 'back' })
    if (item === undefined) return
    if (item.off !== undefined) {
      notices.show(`not written: ${item.off}`)
      return
    }
    const text = exportText(state, item.choice, { ...offers, ascii: signs.ascii })
    notices.save(exportName(item.choice, now), text)
  }

  /** Gives a key to the menu in front. */
  function pressInFront(press: KeyPress): boolean {
    const { menu } = get()
    if (menu === undefined) return false
    pressInMenu(press.name, {
      menu: exportMenu(get(), context().now),
      at: menu,
      go: at => dispatch({ type: 'menu', at }),
      choose: exported,
      close: () => dispatch({ type: 'back' }),
      quit,
      suspend,
    })
    return true
  }

  /** Selects another case, or scrolls the reasons. */
  function move(state: CompressState, size: Size, by: 1 | -1, distance: Distance): void {
    if (state.pane === 'hops') {
      dispatch({ type: 'select', by: distance === 'line' ? by : by * ALL })
      return
    }
    const page = Math.max(1, layoutOf(state, size).why.rows - 1)
    const lines = { line: 1, page, end: ALL }[distance]
    dispatch({ type: 'scroll', by: by * lines, limit: scrollLimit(state, size, context()) })
  }

  function ownActions(state: CompressState, key: string): Readonly<Record<Command, () => void>> {
    const otherPane = () => dispatch({ type: 'pane', pane: state.pane === 'hops' ? 'why' : 'hops' })
    return {
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
      nextPane: otherPane,
      previousPane: otherPane,
      pane: () => dispatch({ type: 'pane', pane: key === '1' ? 'hops' : 'why' }),
      export: () => dispatch({ type: 'menu', at: 0 }),
      copy,
    }
  }

  return createPress<CompressState, Command>({
    get,
    commandOf,
    quit,
    suspend,
    clearNotice: notices.clear,
    pressInFront,
    actions: (state, key, size) => ({
      move: (by, distance) => move(state, size, by, distance),
      help: () => dispatch({ type: 'help' }),
      back: () => dispatch({ type: 'back' }),
      canGoBack: state.help,
      own: ownActions(state, key),
    }),
  })
}
