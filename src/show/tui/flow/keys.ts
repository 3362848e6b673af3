import {
  type Distance,
  exitKeys,
  type KeyTable,
  linesOf,
  moveKeys,
  paneKeys,
  pressInLine,
  type ScreenKeys,
} from '../screen/key-rows.js'
import { erased } from '../screen/keys.js'
import { without } from '../screen/store.js'
import { grown, nextBody, nextToken, scrolled, selectedBy, toPane } from './changes.js'
import { copy } from './copy.js'
import { breakAlways, type FlowPorts, type FlowPress, firstMove, pressInFlowMenu, report } from './menus.js'
import { pressInPanel } from './panel-keys.js'
import { hitsOf, layoutOf, paneLines, scrollLimit } from './panes.js'
import { deviceAddress, deviceCode } from './qr-page.js'
import { type FlowState, PANES, type Pane, tokensAt } from './state.js'

/**
 * Scrolls the pane with the keys to a line that holds the text, and says so when no line does.
 * @param by 0: the first hit from here on; else that many hits further, round the end
 */
function goToHit(on: FlowPress, text: string, by: number): void {
  const { store, size, context } = on
  const state = store.get()
  const { pane, search } = state
  if (pane === 'sequence') return
  const layout = layoutOf(state, size)
  const lines = paneLines(pane, state, layout, context())
  const hits = hitsOf(lines, text)
  if (hits.length === 0) {
    store.update(now => without(now, 'search'))
    report(on, `${JSON.stringify(text)} is not in this pane`, false)
    return
  }
  const current = search?.pane === pane && search.text === text ? search.hit : undefined
  const fromHere = hits.findIndex(line => line >= state.scroll[pane])
  const hit =
    current === undefined || by === 0 ? Math.max(0, fromHere) : (current + by + hits.length) % hits.length
  const last = Math.max(0, lines.length - layout.exchange.rows)
  // A line above it, for what it belongs to.
  const line = Math.max(0, Math.min(last, hits[hit]! - 1))
  store.update(now => ({ ...now, search: { pane, text, hit }, scroll: { ...now.scroll, [pane]: line } }))
}

const nextHit =
  (by: number) =>
  (on: FlowPress): void =>
    goToHit(on, on.state.search?.text ?? '', by)

/** A key while it is typed what to search for. */
function pressInSearch(on: FlowPress, text: string): void {
  const { store, press } = on
  const end = () => store.update(now => without(now, 'finding'))
  const change = (finding: string) => store.update(now => ({ ...now, finding }))
  const line = {
    text,
    longest: 200,
    change,
    accept() {
      end()
      if (text !== '') goToHit(on, text, 0)
    },
    cancel: end,
    // Erasing beyond the first character leaves, as in a pager.
    others: { backspace: () => (text === '' ? end() : change(erased(text))) },
  }
  pressInLine(press, line, on)
}

/** Draws the code of the device over everything, or removes it. */
function showCode({ state, store, fail }: FlowPress): void {
  if (state.qr) {
    store.update(now => without(now, 'qr'))
    return
  }
  const { run } = state
  deviceCode(state).then(qr => {
    // A run that was started again has another code.
    store.update(now => (now.run === run && qr ? { ...now, qr } : now))
  }, fail)
}

function move({ state, size, store, context }: FlowPress, by: 1 | -1, distance: Distance): void {
  const lines = linesOf(by, distance, layoutOf(state, size).exchange.rows)
  const limit = scrollLimit(state, size, context())
  store.update(now => scrolled(now, lines, limit))
}

const several = (state: FlowState): boolean => tokensAt(state).length > 1
const ready = (state: FlowState): boolean => !state.waiting && state.outcome === undefined
const happened = (state: FlowState): boolean => state.steps.length > 0
const ended = (state: FlowState): boolean => state.outcome !== undefined
const inText = (state: FlowState): boolean => state.pane !== 'sequence'
const searching = (state: FlowState): boolean => state.search !== undefined && inText(state)
/** A run can be started again: no request is on its way. */
const quiet = (state: FlowState): boolean => !state.waiting
const group = 'Flow'

/** Keys that do nothing on the help page and on the QR code, which know the way back and out alone. */
const onPanes = (rows: KeyTable<FlowState, FlowPress>): KeyTable<FlowState, FlowPress> =>
  rows.map(row => ({ ...row, when: state => !state.page && !state.qr && row.when?.(state) !== false }))

/** The keys of the flow screen, in the order of the hint line. */
export const FLOW_KEYS: KeyTable<FlowState, FlowPress> = [
  ...onPanes([
    {
      keys: ['enter'],
      group,
      help: ['enter', 'send next request'],
      hint: ['enter next', 9],
      when: ready,
      does: ({ runner }) => runner.advance(),
    },
    {
      keys: ['r'],
      group,
      help: ['r', 'restart the flow'],
      hint: ['r restart', 9, ended],
      when: state => happened(state) || ended(state),
      does: ({ runner }) => runner.restart(),
    },
    {
      keys: ['left', 'h'],
      group,
      help: ['← → h l', 'another step'],
      hint: ['←→ steps', 8],
      change: state => selectedBy(state, -1),
    },
    { keys: ['right', 'l'], group, change: state => selectedBy(state, 1) },
    {
      keys: ['a'],
      group,
      help: ['a', 'run all, or stop'],
      hint: ['a all', 2],
      when: state => !ended(state),
      does: ({ runner }) => runner.runAll(),
    },
    ...paneKeys<Pane, FlowState, FlowPress>({
      panes: PANES,
      to: toPane,
      keep: 7,
      help: ['1 2 3 4', 'go to that pane'],
    }),
    ...moveKeys<FlowState, FlowPress>(move, { hint: ['j k scroll', 6] }),
    {
      keys: ['/'],
      group: 'Everywhere',
      help: ['/', 'search this pane'],
      hint: ['/ search', 1],
      when: inText,
      change: state => ({ ...state, finding: '' }),
    },
    {
      keys: ['n'],
      group: 'Everywhere',
      help: ['n N', 'next, previous hit'],
      hint: ['n N hits', 7],
      when: searching,
      does: nextHit(1),
    },
    { keys: ['N'], group: 'Everywhere', when: searching, does: nextHit(-1) },
    // `+` moves the clock; growing and shrinking take the same keys of the keyboard without Shift, and `_` as lazygit.
    {
      keys: ['='],
      group: 'Everywhere',
      help: ['= -', 'grow, shrink pane'],
      change: state => grown(state, 1),
    },
    { keys: ['-', '_'], group: 'Everywhere', change: state => grown(state, -1) },
    {
      keys: ['y'],
      group: 'Everywhere',
      help: ['y', 'copy'],
      hint: ['y copy', 1],
      when: happened,
      does: copy,
    },
    {
      keys: ['t'],
      group,
      help: ['t', 'tamper'],
      hint: ['t tamper', 5],
      when: quiet,
      change: (state, { context }) => ({
        ...state,
        menu: { name: 'tamper', at: firstMove(state, context().offers) },
      }),
    },
    { keys: ['b'], group, help: ['b', 'break at requests'], does: breakAlways },
    {
      keys: ['x'],
      group: 'Everywhere',
      help: ['x', 'export the flow'],
      hint: ['x export', 5],
      when: happened,
      change: state => ({ ...state, menu: { name: 'export', at: 0 } }),
    },
  ]),
  {
    keys: ['c'],
    group,
    help: ['c', 'QR code of a device'],
    hint: ['c QR code', 6],
    when: state => !state.page && deviceAddress(state) !== undefined,
    does: showCode,
  },
  ...onPanes([
    {
      keys: ['+'],
      group,
      help: ['+', "the lab's clock"],
      hint: ['+ time', 2],
      change: state => ({ ...state, menu: { name: 'time', at: 0 } }),
    },
    {
      keys: ['T'],
      group,
      help: ['T', 'next token'],
      hint: ['T token', 5],
      when: several,
      change: nextToken,
    },
    { keys: ['m'], group, help: ['m', 'pretty, raw, hex'], hint: ['m view', 1], change: nextBody },
    {
      keys: ['H'],
      group,
      help: ['H', 'all headers'],
      hint: ['H headers', 1],
      change: state => ({ ...state, allHeaders: !state.allHeaders }),
    },
    {
      keys: ['s'],
      group,
      help: ['s', 'show, hide secrets'],
      hint: ['s secrets', 4],
      change: state => ({ ...state, showSecrets: !state.showSecrets }),
    },
  ]),
  ...exitKeys<FlowState, FlowPress>(
    state => (state.qr ? without(state, 'qr') : without(state, 'search')),
    ({ qr, search }) => qr !== undefined || search !== undefined,
  ),
]

/** The keys of the flow screen, and the panel, the menu or the typed text in front. */
export const flowKeys: ScreenKeys<FlowState, FlowPorts> = {
  keys: FLOW_KEYS,
  inFront(on) {
    const { finding, menu } = on.state
    if (pressInPanel(on)) return true
    if (finding !== undefined) pressInSearch(on, finding)
    else if (menu) pressInFlowMenu(on, menu)
    return finding !== undefined || menu !== undefined
  },
}
