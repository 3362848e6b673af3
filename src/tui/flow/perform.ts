import type { Size } from '../screen/size.js'
import { breakAlways } from './breakpoints.js'
import { layoutOf, scrollLimit } from './frame.js'
import { goToHit } from './go-to-hit.js'
import type { Command } from './keymap.js'
import type { PressPorts } from './press-ports.js'

/** More lines than any pane has: to the first or last one. */
const ALL = 1_000_000

/** Carries out what a key asks for where no panel and no menu is in front. */
export function perform(command: Command, size: Size, ports: PressPorts): void {
  const { store, runner, quit, suspend, context } = ports
  const { dispatch } = store
  const state = store.get()
  const scroll = (by: number) => dispatch({ type: 'scroll', by, limit: scrollLimit(state, size, context()) })
  const page = () => Math.max(1, layoutOf(state, size).exchange.rows - 1)
  const hit = (by: number) => goToHit(store, size, context(), state.search?.text ?? '', by)
  const back = () =>
    dispatch(state.search && !state.help ? { type: 'forget' } : { type: 'help', open: false })
  const does: Readonly<Record<Command, () => void>> = {
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
    down: () => scroll(1),
    up: () => scroll(-1),
    pageDown: () => scroll(page()),
    pageUp: () => scroll(-page()),
    first: () => scroll(-ALL),
    last: () => scroll(ALL),
    grow: () => dispatch({ type: 'grow', by: 1 }),
    shrink: () => dispatch({ type: 'grow', by: -1 }),
    body: () => dispatch({ type: 'body' }),
    secrets: () => dispatch({ type: 'secrets' }),
    copy: ports.copy,
    exportMenu: () => dispatch({ type: 'menu', name: 'export' }),
    tamperMenu: () => dispatch({ type: 'menu', name: 'tamper' }),
    timeMenu: () => dispatch({ type: 'menu', name: 'time' }),
    breakpoints: () => breakAlways(ports),
    search: () => dispatch({ type: 'finding', text: '' }),
    nextHit: () => hit(1),
    previousHit: () => hit(-1),
    help: () => dispatch({ type: 'help', open: !state.help }),
    back,
    leave: () => (state.help || state.search ? back() : quit(false)),
    quit: () => quit(false),
    interrupt: () => quit(true),
    suspend,
  }
  does[command]()
}
