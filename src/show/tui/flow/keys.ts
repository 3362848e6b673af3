import { jsonLine } from '../../../protocol/safe-output/json-line.js'
import { clipboardSequence } from '../screen/clipboard.js'
import {
  type Distance,
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  paneKeys,
  type ScreenKeys,
} from '../screen/key-rows.js'
import { pressInSearch, type Searched, searchKeys } from '../screen/search.js'
import { without } from '../screen/store.js'
import { grown, nextBody, nextToken, scrolled, selectedBy, toPane } from './changes.js'
import { breakAlways, type FlowPorts, type FlowPress, opens, pressInFlowMenu, report } from './menus.js'
import { pressInPanel } from './panel-keys.js'
import { layoutOf, paneLines, scrollLimit, shownToken } from './panes.js'
import { deviceAddress, deviceCode } from './qr-page.js'
import { type FlowState, PANES, type Pane, serverEventsAt, tokensAt } from './state.js'

/** The text of the pane with the keys. */
function searched({ state, size, context }: FlowPress): Searched | undefined {
  const { pane, scroll } = state
  if (pane === 'sequence') return undefined
  const layout = layoutOf(state, size)
  const lines = paneLines(pane, state, layout, context())
  return { lines, first: scroll[pane], limit: Math.max(0, lines.length - layout.exchange.rows) }
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
const live = (state: FlowState): boolean => !state.shownOnly
/** A run can be started again: no request is on its way. */
const quiet = (state: FlowState): boolean => live(state) && !state.waiting

/** Keys that do nothing on the help page and on the QR code, which know the way back and out alone. */
const onPanes = (rows: KeyTable<FlowState, FlowPress>): KeyTable<FlowState, FlowPress> =>
  rows.map(row => ({ ...row, when: state => !state.page && !state.qr && row.when?.(state) !== false }))
const toggles = (member: 'allHeaders' | 'showSecrets') => ({
  change: (state: FlowState): FlowState => ({ ...state, [member]: !state[member] }),
})
const row = keyRows<FlowState, FlowPress>

/** The keys of the flow screen, in the order of the hint line. */
export const FLOW_KEYS: KeyTable<FlowState, FlowPress> = [
  ...onPanes([
    ...row('Flow', [
      ['enter', 'send next request', { does: ({ runner }) => runner.advance() }, ['enter next', 9], ready],
      [
        'r',
        'restart the flow',
        { does: ({ runner }) => runner.restart() },
        ['r restart', 9, ended],
        state => happened(state) || ended(state),
      ],
      ['left h', ['← → h l', 'another step'], { change: state => selectedBy(state, -1) }, ['←→ steps', 8]],
      ['right l', undefined, { change: state => selectedBy(state, 1) }],
      [
        'a',
        'run all, or stop',
        { does: ({ runner }) => runner.runAll() },
        ['a all', 2],
        state => !ended(state),
      ],
    ]),
    ...paneKeys<Pane, FlowState, FlowPress>({
      panes: PANES,
      to: toPane,
      keep: 7,
      help: ['1 2 3 4', 'go to that pane'],
    }),
    ...moveKeys<FlowState, FlowPress>(move, { hint: ['j k scroll', 6] }),
    ...searchKeys<FlowState, FlowPorts>(searched, inText),
    ...row('Everywhere', [
      // `+` moves the clock; growing and shrinking take the same keys of the keyboard without Shift, and `_` as lazygit.
      ['=', ['= -', 'grow, shrink pane'], { change: state => grown(state, 1) }],
      ['- _', undefined, { change: state => grown(state, -1) }],
      ['y', 'copy', { does: copy }, ['y copy', 1], happened],
    ]),
    ...row('Flow', [
      [
        'w',
        'again without the wrong move',
        { does: ({ runner }) => runner.honest() },
        ['w again without it', 9],
        state => ended(state) && state.move !== undefined,
      ],
      ['t', 'tamper', opens('tamper'), ['t tamper', 5], quiet],
      ['b', 'break at requests', { does: breakAlways }, undefined, live],
    ]),
    ...row('Everywhere', [
      ['x', 'export the flow', opens('export'), ['x export', 5], state => live(state) && happened(state)],
    ]),
  ]),
  ...row('Flow', [
    [
      'd',
      'QR code of a device',
      { does: showCode },
      ['d QR code', 6],
      state => !state.page && deviceAddress(state) !== undefined,
    ],
  ]),
  ...onPanes([
    ...row('Flow', [
      ['+', "the lab's clock", opens('time'), ['+ time', 2], live],
      ['T', 'next token', { change: nextToken }, ['T token', 5], several],
      ['m', 'pretty, raw, hex', { change: nextBody }, ['m view', 1]],
      ['H', 'all headers', toggles('allHeaders'), ['H headers', 1]],
      ['s', 'show, hide secrets', toggles('showSecrets'), ['s secrets', 4]],
    ]),
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
    const { menu } = on.state
    if (pressInPanel(on) || pressInSearch(on, searched)) return true
    if (menu) pressInFlowMenu(on, menu.name)
    return menu !== undefined
  },
}

/** Something to copy, whole, and what it is. */
interface Copy {
  readonly what: string
  readonly text: string
}

/**
 * The text that the pane with the keys copies: of the sequence the address of the step; of the exchange the body of the
 * answer, or the address without one; the token; the events as JSON lines. Undefined when there is nothing.
 */
function copyOf(state: FlowState): Copy | undefined {
  const step = state.steps[state.selected]
  const address = step?.exchange?.request.url ?? step?.url
  const url = address === undefined ? undefined : { what: 'the address', text: address }
  switch (state.pane) {
    case 'sequence':
      return url
    case 'exchange': {
      const body = step?.exchange?.response?.body
      return body ? { what: 'the body of the answer', text: body } : url
    }
    case 'token': {
      const token = shownToken(state)
      return token && { what: `the ${token.kind.replace('_', ' ')}`, text: token.value }
    }
    case 'server': {
      const events = serverEventsAt(state)
      if (events.length === 0) return undefined
      const text = `${events.map(event => jsonLine(event)).join('\n')}\n`
      return { what: events.length === 1 ? 'the event' : `${events.length} events`, text }
    }
  }
}

/** Puts a text into a file, for terminals without a clipboard. `sent`: it went to the clipboard too. */
async function keepCopied({ what, text }: Copy, said: string, sent: boolean, on: FlowPress): Promise<void> {
  const { keepCopy } = on.context().offers
  if ('why' in keepCopy) {
    if (sent) report(on, `sent ${said} to the terminal's clipboard`, true)
    else report(on, `${said} is too long for the clipboard of a terminal`, false)
    return
  }
  try {
    const file = await keepCopy.offer(text)
    report(
      on,
      sent
        ? `copied ${what}, and for terminals without clipboard into ${file}`
        : `${what}: too long for a terminal's clipboard, so in ${file}`,
      true,
    )
  } catch (error) {
    report(on, `copied ${said}, but into no file: ${(error as Error).message}`, false)
  }
}

/** Puts the text of the pane on the clipboard of the terminal, and into a file when nobody knows if that worked. */
function copy(on: FlowPress): void {
  const copied = copyOf(on.state)
  if (copied === undefined) {
    report(on, 'there is nothing to copy in this pane', false)
    return
  }
  const sequence = clipboardSequence(copied.text)
  if (sequence !== undefined) on.emit(sequence)
  const said = `${copied.what} (${copied.text.length.toLocaleString('en-US')} characters)`
  if (sequence !== undefined && on.hasClipboard) report(on, `copied ${said}`, true)
  else void keepCopied(copied, said, sequence !== undefined, on)
}
