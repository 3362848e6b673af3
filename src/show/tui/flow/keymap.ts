import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, paneKeys, type ScreenCommand } from '../screen/screen-keys.js'
import { tokensAt } from './entries.js'
import { deviceAddress } from './qr-page.js'
import type { FlowState } from './state.js'

/** The commands of this screen alone. */
export type Command =
  | 'advance'
  | 'runAll'
  | 'restart'
  | 'earlier'
  | 'later'
  | 'nextPane'
  | 'previousPane'
  | 'sequence'
  | 'exchange'
  | 'token'
  | 'server'
  | 'nextToken'
  | 'grow'
  | 'shrink'
  | 'body'
  | 'secrets'
  | 'headers'
  | 'copy'
  | 'exportMenu'
  | 'tamperMenu'
  | 'timeMenu'
  | 'breakpoints'
  | 'camera'
  | 'search'
  | 'nextHit'
  | 'previousHit'

type FlowBinding = Binding<FlowState, Command | ScreenCommand, 'Everywhere' | 'Flow'>

const several = (state: FlowState): boolean => tokensAt(state).length > 1
const ready = (state: FlowState): boolean => !state.waiting && state.outcome === undefined
const happened = (state: FlowState): boolean => state.steps.length > 0
const inText = (state: FlowState): boolean => state.pane !== 'sequence'
const searching = (state: FlowState): boolean => state.search !== undefined && inText(state)
/** A run can be started again: no request is on its way. */
const quiet = (state: FlowState): boolean => !state.waiting
const unfinished = (state: FlowState): boolean => state.outcome === undefined

/** The keys of the flow screen, in the order of the hint line. */
export const FLOW_KEYS: readonly FlowBinding[] = [
  {
    keys: ['enter'],
    command: 'advance',
    group: 'Flow',
    help: ['enter', 'send next request'],
    hint: { text: 'enter next', keep: 9 },
    when: ready,
  },
  {
    keys: ['r'],
    command: 'restart',
    group: 'Flow',
    help: ['r', 'restart the flow'],
    hint: { text: 'r restart', keep: 9, when: state => state.outcome !== undefined },
    when: state => state.steps.length > 0 || state.outcome !== undefined,
  },
  {
    keys: ['left', 'h'],
    command: 'earlier',
    group: 'Flow',
    help: ['← → h l', 'another step'],
    hint: { text: '←→ steps', keep: 8 },
  },
  { keys: ['right', 'l'], command: 'later', group: 'Flow' },
  {
    keys: ['a'],
    command: 'runAll',
    group: 'Flow',
    help: ['a', 'run all, or stop'],
    hint: { text: 'a all', keep: 2 },
    when: unfinished,
  },
  ...paneKeys<FlowState>(7),
  { keys: ['1'], command: 'sequence', group: 'Everywhere', help: ['1 2 3 4', 'go to that pane'] },
  { keys: ['2'], command: 'exchange', group: 'Everywhere' },
  { keys: ['3'], command: 'token', group: 'Everywhere' },
  { keys: ['4'], command: 'server', group: 'Everywhere' },
  ...moveKeys<FlowState>({ hint: { text: 'j k scroll', keep: 6 } }),
  {
    keys: ['/'],
    command: 'search',
    group: 'Everywhere',
    help: ['/', 'search this pane'],
    hint: { text: '/ search', keep: 1, when: inText },
    when: inText,
  },
  {
    keys: ['n'],
    command: 'nextHit',
    group: 'Everywhere',
    help: ['n N', 'next, previous hit'],
    hint: { text: 'n N hits', keep: 7 },
    when: searching,
  },
  { keys: ['N'], command: 'previousHit', group: 'Everywhere', when: searching },
  // `+` moves the clock; growing and shrinking take the same keys of the keyboard without Shift, and `_` as lazygit.
  { keys: ['='], command: 'grow', group: 'Everywhere', help: ['= -', 'grow, shrink pane'] },
  { keys: ['-', '_'], command: 'shrink', group: 'Everywhere' },
  {
    keys: ['y'],
    command: 'copy',
    group: 'Everywhere',
    help: ['y', 'copy'],
    hint: { text: 'y copy', keep: 1, when: happened },
    when: happened,
  },
  {
    keys: ['t'],
    command: 'tamperMenu',
    group: 'Flow',
    help: ['t', 'tamper'],
    hint: { text: 't tamper', keep: 5, when: quiet },
    when: quiet,
  },
  { keys: ['b'], command: 'breakpoints', group: 'Flow', help: ['b', 'break at requests'] },
  {
    keys: ['x'],
    command: 'exportMenu',
    group: 'Everywhere',
    help: ['x', 'export the flow'],
    hint: { text: 'x export', keep: 5, when: happened },
    when: happened,
  },
  {
    keys: ['c'],
    command: 'camera',
    group: 'Flow',
    help: ['c', 'QR code of a device'],
    hint: { text: 'c QR code', keep: 6 },
    when: state => deviceAddress(state) !== undefined,
  },
  {
    keys: ['+'],
    command: 'timeMenu',
    group: 'Flow',
    help: ['+', "the lab's clock"],
    hint: { text: '+ time', keep: 2 },
  },
  {
    keys: ['T'],
    command: 'nextToken',
    group: 'Flow',
    help: ['T', 'next token'],
    hint: { text: 'T token', keep: 5 },
    when: several,
  },
  {
    keys: ['m'],
    command: 'body',
    group: 'Flow',
    help: ['m', 'pretty, raw, hex'],
    hint: { text: 'm view', keep: 1 },
  },
  {
    keys: ['H'],
    command: 'headers',
    group: 'Flow',
    help: ['H', 'all headers'],
    hint: { text: 'H headers', keep: 1 },
  },
  {
    keys: ['s'],
    command: 'secrets',
    group: 'Flow',
    help: ['s', 'show, hide secrets'],
    hint: { text: 's secrets', keep: 4 },
  },
  ...exitKeys(),
]

/** Keys of the help page and of the QR code: they scroll nowhere, so all they know is the way back and out. */
const pageCommands: ReadonlySet<Command | ScreenCommand> = new Set([
  'help',
  'back',
  'leave',
  'quit',
  'interrupt',
  'suspend',
])

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: FlowState): Command | ScreenCommand | undefined {
  const command = bindingOf(FLOW_KEYS, key, state)?.command
  if (command === 'camera' && state.qr && !state.help) return command
  const onPage = state.help || state.qr !== undefined
  return command !== undefined && onPage && !pageCommands.has(command) ? undefined : command
}
