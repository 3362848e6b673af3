import { requestUrl } from '../../render/event-export.js'
import { clipboardSequence } from '../screen/clipboard.js'
import type { KeyPress } from '../screen/keys.js'
import { erased, typed } from '../screen/line-input.js'
import { menuPress } from '../screen/menu.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import { copyText, exportMenu, exportName, exportText } from './exports.js'
import type { FrameContext } from './frame.js'
import { scrollLimit } from './frame.js'
import { pasteLines } from './info.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import { layOut } from './layout.js'
import { selectedEntry } from './listing.js'
import type { DashboardOffers } from './offers.js'
import { PANES } from './panes.js'
import type { DashboardState } from './state.js'
import { entryAt } from './view/history.js'

/** The objects that keys act on. */
export interface PressPorts {
  readonly store: Store<DashboardState, Action>
  readonly offers: DashboardOffers
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

/** The address to open: the request's own, where it can be asked for again; else the lab's. */
function addressOf(state: DashboardState): string | undefined {
  const { facts, requests } = state.view
  const n = selectedEntry(state)
  const request = state.pane === 'requests' && n !== undefined ? entryAt(requests, n) : undefined
  const own =
    request?.method === 'GET' && !request.path.includes('…') ? requestUrl(request.event, facts) : undefined
  return own ?? facts.urls.find(([name]) => name === 'authorization')?.[1] ?? facts.urls[0]?.[1]
}

/** Makes the function that carries a key press out. */
export function createPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, context, quit, suspend, emit } = ports
  const { dispatch, get } = store
  const tell = (text: string): void => dispatch({ type: 'notice', text })
  const later = (work: Promise<string>, meanwhile = ''): void => {
    if (meanwhile !== '') tell(meanwhile)
    work.then(tell, (error: unknown) => tell(error instanceof Error ? error.message : String(error)))
  }

  function copy(): void {
    const state = get()
    const text = state.overlay === 'info' ? pasteLines(state.view).join('\n') : copyText(state)
    const sequence = text === undefined ? undefined : clipboardSequence(text)
    if (text === undefined) return
    if (sequence !== undefined) emit(sequence)
    if (sequence !== undefined && offers.clipboard) {
      tell(`copied ${text.split('\n')[0]!}`)
      return
    }
    const said =
      sequence === undefined ? 'too long for a clipboard' : 'copied; if your terminal has no clipboard'
    later(offers.keepCopy(`${text}\n`).then(name => `${said}: it is in ${name}`))
  }

  function exported(at: number): void {
    const state = get()
    const { now } = context()
    const item = exportMenu(state, now).items[at]
    dispatch({ type: 'back' })
    if (item === undefined) return
    if (item.off !== undefined) {
      tell(`no ${item.text.split(',')[0]}: ${item.off}`)
      return
    }
    later(
      offers
        .save(exportName(item.choice, now), exportText(state, item.choice, offers.version))
        .then(name => `written: ${name}`),
    )
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

  function inFilter({ name, text }: KeyPress): void {
    const filter = get().filters[get().pane] ?? ''
    const does: Readonly<Record<string, () => void>> = {
      'ctrl-c': () => quit(true),
      'ctrl-z': suspend,
      'ctrl-u': () => dispatch({ type: 'typed', text: '' }),
      enter: () => dispatch({ type: 'endFilter', keep: true }),
      esc: () => dispatch({ type: 'endFilter', keep: false }),
      backspace: () => dispatch({ type: 'typed', text: erased(filter) }),
    }
    if (Object.hasOwn(does, name)) does[name]!()
    else if (text !== '') dispatch({ type: 'typed', text: typed(filter, text, 200) })
  }

  function perform(command: Command, key: string, size: Size): void {
    const state = get()
    const { requests, lower, single, arrangement } = layOut(size, state.grow)
    const tall = arrangement === 'wide' && state.pane !== 'events' ? 2 : 1
    const rows = Math.max(1, state.pane === 'requests' ? requests.rows : Math.floor(lower.rows / tall))
    const go = (by: number, page = false): void => {
      const lines = page ? by * Math.max(1, (state.open === undefined ? rows : single.rows) - 1) : by
      if (state.open === undefined) dispatch({ type: 'move', by: lines, rows })
      else dispatch({ type: 'scroll', by: lines, limit: scrollLimit(state, size, context()) })
    }
    const end = (which: 'first' | 'last'): void =>
      state.open === undefined ? dispatch({ type: which, rows }) : go(which === 'first' ? -ALL : ALL)
    const { rotate } = offers
    const does: Readonly<Record<Command, () => void>> = {
      open: () => dispatch({ type: 'openEntry' }),
      earlier: () => dispatch({ type: 'otherEntry', by: -1 }),
      later: () => dispatch({ type: 'otherEntry', by: 1 }),
      nextPane: () => dispatch({ type: 'nextPane', by: 1 }),
      previousPane: () => dispatch({ type: 'nextPane', by: -1 }),
      pane: () => dispatch({ type: 'pane', pane: PANES[Number(key) - 1] ?? 'requests' }),
      down: () => go(1),
      up: () => go(-1),
      pageDown: () => go(1, true),
      pageUp: () => go(-1, true),
      first: () => end('first'),
      last: () => end('last'),
      filter: () => dispatch({ type: 'startFilter' }),
      follow: () => dispatch({ type: 'follow' }),
      info: () => dispatch({ type: 'overlay', overlay: 'info' }),
      export: () => dispatch({ type: 'menu', at: 0 }),
      copy,
      browser: () => {
        const url = addressOf(state)
        if (url !== undefined) later(offers.browse(url), `opening ${url}`)
      },
      rotate: () => (typeof rotate === 'function' ? later(rotate(), 'making a key') : tell(rotate.why)),
      grow: () => dispatch({ type: 'grow', by: 1 }),
      shrink: () => dispatch({ type: 'grow', by: -1 }),
      help: () =>
        dispatch(state.overlay === 'help' ? { type: 'back' } : { type: 'overlay', overlay: 'help' }),
      back: () => dispatch({ type: 'back' }),
      leave: () => ((state.overlay ?? state.open) ? dispatch({ type: 'back' }) : quit(false)),
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
