import { requestUrl } from '../../render/events/event-export.js'
import type { KeyPress } from '../screen/keys.js'
import { createNotices } from '../screen/notices.js'
import { createPress, type Distance, type Exits, pressInFilter, pressInMenu } from '../screen/press.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import type { Action } from './actions.js'
import { copyText, exportMenu, exportName, exportText } from './exports.js'
import type { FrameContext } from './frame.js'
import { layoutOf, scrollLimit } from './frame.js'
import { pasteLines } from './info.js'
import type { Command } from './keymap.js'
import { commandOf } from './keymap.js'
import { selectedEntry, selectedRegistration } from './listing.js'
import type { DashboardOffers } from './offers.js'
import { PANES } from './panes.js'
import type { DashboardState } from './state.js'
import { entryAt } from './view/history.js'

/** The parts of the dashboard that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<DashboardState, Action>
  readonly offers: DashboardOffers
  readonly context: () => FrameContext
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
}

/** More lines than any text has. */
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

/** Makes the function that carries out a key press. */
export function createServePress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, context, quit, suspend, emit } = ports
  const { dispatch, get } = store
  const notices = createNotices({ store, offers, emit })

  function copy(): void {
    const state = get()
    const text = state.overlay === 'info' ? pasteLines(state.view).join('\n') : copyText(state)
    if (text !== undefined) notices.copy(text, `copied ${text.split('\n')[0]!}`)
  }

  function exported(at: number): void {
    const state = get()
    const { now } = context()
    const item = exportMenu(state, now).items[at]
    dispatch({ type: 'back' })
    if (item === undefined) return
    if (item.off !== undefined) {
      notices.show(`no ${item.text.split(',')[0]}: ${item.off}`)
      return
    }
    notices.save(exportName(item.choice, now), exportText(state, item.choice, offers.version))
  }

  /** Gives a key to the filter or the menu in front. */
  function pressInFront(press: KeyPress): boolean {
    const { typing, menu, filters, pane } = get()
    if (typing) {
      pressInFilter(press, {
        text: filters[pane] ?? '',
        change: text => dispatch({ type: 'typed', text }),
        end: keep => dispatch({ type: 'endFilter', keep }),
        quit,
        suspend,
      })
    } else if (menu !== undefined) {
      pressInMenu(press.name, {
        menu: exportMenu(get(), context().now),
        at: menu,
        go: at => dispatch({ type: 'menu', at }),
        choose: exported,
        close: () => dispatch({ type: 'back' }),
        quit,
        suspend,
      })
    }
    return typing !== undefined || menu !== undefined
  }

  /** Moves in the list of the pane, or in the entry that is open. */
  function move(state: DashboardState, size: Size, by: 1 | -1, distance: Distance): void {
    const { requests, lower, single, arrangement } = layoutOf(state, size)
    const tall = arrangement === 'wide' && state.pane !== 'events' ? 2 : 1
    const rows = Math.max(1, state.pane === 'requests' ? requests.rows : Math.floor(lower.rows / tall))
    const { open } = state
    if (open === undefined && distance === 'end') {
      dispatch({ type: by < 0 ? 'first' : 'last', rows })
      return
    }
    const page = Math.max(1, (open === undefined ? rows : single.rows) - 1)
    const lines = by * { line: 1, page, end: ALL }[distance]
    if (open === undefined) dispatch({ type: 'move', by: lines, rows })
    else dispatch({ type: 'scroll', by: lines, limit: scrollLimit(state, size, context()) })
  }

  function ownActions(state: DashboardState, key: string): Readonly<Record<Command, () => void>> {
    const { rotate } = offers
    return {
      open: () => dispatch({ type: 'openEntry' }),
      earlier: () => dispatch({ type: 'otherEntry', by: -1 }),
      later: () => dispatch({ type: 'otherEntry', by: 1 }),
      nextPane: () => dispatch({ type: 'nextPane', by: 1 }),
      previousPane: () => dispatch({ type: 'nextPane', by: -1 }),
      pane: () => dispatch({ type: 'pane', pane: PANES[Number(key) - 1] ?? 'requests' }),
      filter: () => dispatch({ type: 'startFilter' }),
      follow: () => dispatch({ type: 'follow' }),
      info: () => dispatch({ type: 'overlay', overlay: 'info' }),
      export: () => dispatch({ type: 'menu', at: 0 }),
      copy,
      browser: () => {
        const url = addressOf(state)
        if (url !== undefined) notices.result(offers.browse(url), `opening ${url}`)
      },
      rotate: () =>
        typeof rotate === 'function' ? notices.result(rotate(), 'making a key') : notices.show(rotate.why),
      remove: () => {
        const id = selectedRegistration(state)
        if (id !== undefined) notices.show(offers.remove(id))
      },
      grow: () => dispatch({ type: 'grow', by: 1 }),
      shrink: () => dispatch({ type: 'grow', by: -1 }),
    }
  }

  return createPress<DashboardState, Command>({
    get,
    commandOf,
    quit,
    suspend,
    clearNotice: notices.clear,
    pressInFront,
    actions: (state, key, size) => ({
      move: (by, distance) => move(state, size, by, distance),
      help: () =>
        dispatch(state.overlay === 'help' ? { type: 'back' } : { type: 'overlay', overlay: 'help' }),
      back: () => dispatch({ type: 'back' }),
      canGoBack: (state.overlay ?? state.open) !== undefined,
      own: ownActions(state, key),
    }),
  })
}
