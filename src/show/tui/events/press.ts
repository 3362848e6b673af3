import { USUAL_FIELDS } from '../../render/events/events-summary.js'
import { jsonLine } from '../../render/text/json-line.js'
import type { KeyPress } from '../screen/keys.js'
import { createNotices } from '../screen/notices.js'
import { createPress, type Distance, type Exits, pressInFilter, pressInMenu } from '../screen/press.js'
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

/** The parts of the events screen that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<EventsState, Action>
  readonly offers: EventsOffers
  readonly context: () => FrameContext
  /** Writes a control sequence that draws nothing. */
  readonly emit: (sequence: string) => void
}

/** More lines than any text has. */
const ALL = 1_000_000

/** A filter is a list of words: a value with spaces in it is named by its first word. */
const filterOn = ({ field, value }: { field: string; value: string }): string =>
  `${field}:${value.split(' ')[0] ?? ''}`

/** Makes the function that carries out a key press. */
export function createEventsPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, context, quit, suspend, emit } = ports
  const { dispatch, get } = store
  const notices = createNotices({ store, offers, emit })

  function copy(): void {
    const event = selected(get())
    if (event !== undefined) notices.copy(jsonLine(event), `copied event ${event.ray_id}`)
  }

  function exported(at: number): void {
    const state = get()
    const { now } = context()
    const item = exportMenu(now).items[at]
    const one = selected(state)
    dispatch({ type: 'back' })
    if (item === undefined || one === undefined) return
    const events = item.choice === 'post' ? [one] : listed(state).events
    notices.save(exportName(item.choice, now), offers.written(item.choice, events))
  }

  /** Gives a key to the filter or the menu in front. */
  function pressInFront(press: KeyPress): boolean {
    const { typing, menu, filter } = get()
    if (typing) {
      pressInFilter(press, {
        text: filter,
        change: text => dispatch({ type: 'filter', text }),
        end: keep => dispatch({ type: 'endFilter', keep }),
        quit,
        suspend,
      })
    } else if (menu !== undefined) {
      pressInMenu(press.name, {
        menu: exportMenu(context().now),
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

  function move(state: EventsState, size: Size, by: 1 | -1, distance: Distance): void {
    const { open, pane, cursor } = state
    const inList = open === undefined && pane === 'events'
    if (inList && by > 0 && distance === 'end') {
      if (cursor.at !== undefined) dispatch({ type: 'follow' })
      return
    }
    const { list, counts, lower, single } = layOut(size)
    const lines = (rows: number) => by * { line: 1, page: Math.max(1, rows - 1), end: ALL }[distance]
    if (inList) {
      dispatch({ type: 'move', by: lines(list.rows), rows: list.rows })
    } else if (open === undefined && pane === 'counts') {
      dispatch({ type: 'value', by: lines(counts.rows), rows: Math.min(counts.rows, valueCount(state)) })
    } else {
      const { rows } = open === undefined ? lower : single
      dispatch({ type: 'scroll', by: lines(rows), limit: scrollLimit(state, size, context()) })
    }
  }

  function aside(by: 1 | -1, size: Size): void {
    if (get().open === undefined) dispatch({ type: 'field', by, fields: USUAL_FIELDS.length })
    else dispatch({ type: 'move', by, rows: layOut(size).list.rows })
  }

  function ownActions(state: EventsState, key: string, size: Size): Readonly<Record<Command, () => void>> {
    return {
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
      filter: () => dispatch({ type: 'startFilter' }),
      follow: () => dispatch({ type: 'follow' }),
      export: () => dispatch({ type: 'menu', at: 0 }),
      copy,
    }
  }

  return createPress<EventsState, Command>({
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
      canGoBack: state.help || state.open !== undefined,
      own: ownActions(state, key, size),
    }),
  })
}
