import type { Actions } from '../screen/press.js'
import type { Size } from '../screen/size.js'
import type { Action } from './actions.js'
import { breakAlways } from './breakpoints.js'
import { layoutOf, scrollLimit } from './frame.js'
import { goToHit } from './go-to-hit.js'
import type { Command } from './keymap.js'
import { firstMove } from './menus.js'
import type { PressPorts } from './press-ports.js'
import { deviceCode } from './qr-page.js'
import type { FlowState } from './state.js'

/** More lines than any pane has. */
const ALL = 1_000_000

/** Closes what is in front. */
function goBack({ help, qr, search }: FlowState): Action {
  if (help || (qr === undefined && search === undefined)) return { type: 'help', open: false }
  return qr ? { type: 'qr', qr: undefined } : { type: 'forget' }
}

/** Draws the code of the device over everything, or removes it. */
function showCode(state: FlowState, { store, fail }: PressPorts): void {
  if (state.qr) {
    store.dispatch({ type: 'qr', qr: undefined })
    return
  }
  const { run } = state
  deviceCode(state).then(qr => {
    // A run that was started again has another code.
    if (store.get().run === run) store.dispatch({ type: 'qr', qr })
  }, fail)
}

/** The meaning of keys where no panel and no menu is in front. */
export function actionsOf(state: FlowState, size: Size, ports: PressPorts): Actions<Command> {
  const { store, runner, context } = ports
  const { dispatch } = store
  const hit = (by: number) => goToHit(store, size, context(), state.search?.text ?? '', by)
  const own: Readonly<Record<Command, () => void>> = {
    advance: runner.advance,
    runAll: runner.runAll,
    restart: () => runner.restart(),
    earlier: () => dispatch({ type: 'select', by: -1 }),
    later: () => dispatch({ type: 'select', by: 1 }),
    nextPane: () => dispatch({ type: 'nextPane', by: 1 }),
    previousPane: () => dispatch({ type: 'nextPane', by: -1 }),
    sequence: () => dispatch({ type: 'pane', pane: 'sequence' }),
    exchange: () => dispatch({ type: 'pane', pane: 'exchange' }),
    token: () => dispatch({ type: 'pane', pane: 'token' }),
    server: () => dispatch({ type: 'pane', pane: 'server' }),
    nextToken: () => dispatch({ type: 'nextToken' }),
    grow: () => dispatch({ type: 'grow', by: 1 }),
    shrink: () => dispatch({ type: 'grow', by: -1 }),
    body: () => dispatch({ type: 'body' }),
    secrets: () => dispatch({ type: 'secrets' }),
    headers: () => dispatch({ type: 'headers' }),
    copy: ports.copy,
    exportMenu: () => dispatch({ type: 'menu', name: 'export' }),
    tamperMenu: () => dispatch({ type: 'menu', name: 'tamper', at: firstMove(state, context().offers) }),
    timeMenu: () => dispatch({ type: 'menu', name: 'time' }),
    breakpoints: () => breakAlways(ports),
    camera: () => showCode(state, ports),
    search: () => dispatch({ type: 'finding', text: '' }),
    nextHit: () => hit(1),
    previousHit: () => hit(-1),
  }
  return {
    move(by, distance) {
      const page = Math.max(1, layoutOf(state, size).exchange.rows - 1)
      const lines = { line: 1, page, end: ALL }[distance]
      dispatch({ type: 'scroll', by: by * lines, limit: scrollLimit(state, size, context()) })
    },
    help: () => dispatch({ type: 'help', open: !state.help }),
    back: () => dispatch(goBack(state)),
    canGoBack: state.help || state.qr !== undefined || state.search !== undefined,
    own,
  }
}
