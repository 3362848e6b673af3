import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import type { CompressState } from './state.js'

/** The commands of the keys. */
export type Command =
  | 'next'
  | 'previous'
  | 'body'
  | 'offer'
  | 'mode'
  | 'reset'
  | 'otherPane'
  | 'pane'
  | 'down'
  | 'up'
  | 'pageDown'
  | 'pageUp'
  | 'first'
  | 'last'
  | 'export'
  | 'copy'
  | 'help'
  | 'back'
  | 'leave'
  | 'quit'
  | 'interrupt'
  | 'suspend'

type CompressBinding = Binding<CompressState, Command, 'Everywhere' | 'Compression'>

const looking = ({ help }: CompressState): boolean => !help

/** The keys of the compression lab, in the order of the hint line. */
export const COMPRESS_KEYS: readonly CompressBinding[] = [
  {
    keys: ['right', 'l'],
    command: 'next',
    group: 'Compression',
    help: ['← → h l', 'another case'],
    hint: { text: '←→ case', keep: 9 },
    when: looking,
  },
  { keys: ['left', 'h'], command: 'previous', group: 'Compression', when: looking },
  {
    keys: ['b'],
    command: 'body',
    group: 'Compression',
    help: ['b', 'next body size'],
    hint: { text: 'b body size', keep: 8 },
    when: looking,
  },
  {
    keys: ['e'],
    command: 'offer',
    group: 'Compression',
    help: ['e', 'next Accept-Encoding'],
    hint: { text: 'e Accept-Encoding', keep: 7 },
    when: looking,
  },
  {
    keys: ['p'],
    command: 'mode',
    group: 'Compression',
    help: ['p', 'next proxy behaviour'],
    hint: { text: 'p proxy', keep: 6 },
    when: looking,
  },
  {
    keys: ['r'],
    command: 'reset',
    group: 'Compression',
    help: ['r', 'A to E again, measured again'],
    when: looking,
  },
  {
    keys: ['tab', 'shift-tab'],
    command: 'otherPane',
    group: 'Everywhere',
    help: ['tab', 'next pane'],
    hint: { text: 'tab pane', keep: 4 },
    when: looking,
  },
  { keys: ['1', '2'], command: 'pane', group: 'Everywhere', help: ['1 2', 'go to that pane'], when: looking },
  {
    keys: ['j', 'down'],
    command: 'down',
    group: 'Everywhere',
    help: ['j k ↓ ↑', 'move or scroll'],
    when: looking,
  },
  { keys: ['k', 'up'], command: 'up', group: 'Everywhere', when: looking },
  {
    keys: ['ctrl-f', 'pagedown'],
    command: 'pageDown',
    group: 'Everywhere',
    help: ['^f ^b', 'page down, page up'],
    when: looking,
  },
  { keys: ['ctrl-b', 'pageup'], command: 'pageUp', group: 'Everywhere', when: looking },
  { keys: ['g', 'home'], command: 'first', group: 'Everywhere', help: ['g G', 'first, last'], when: looking },
  { keys: ['G', 'end'], command: 'last', group: 'Everywhere', when: looking },
  {
    keys: ['x'],
    command: 'export',
    group: 'Everywhere',
    help: ['x', 'export: nginx, JSON, text'],
    hint: { text: 'x export', keep: 5 },
    when: looking,
  },
  {
    keys: ['y'],
    command: 'copy',
    group: 'Everywhere',
    help: ['y', 'copy the equal commands'],
    when: looking,
  },
  {
    keys: ['?'],
    command: 'help',
    group: 'Everywhere',
    help: ['?', 'this help'],
    hint: { text: '? help', keep: 10 },
  },
  { keys: ['esc'], command: 'back', group: 'Everywhere', help: ['esc', 'back'] },
  {
    keys: ['q'],
    command: 'leave',
    group: 'Everywhere',
    help: ['q', 'back, or quit'],
    hint: { text: 'q quit', keep: 10 },
  },
  { keys: ['Q'], command: 'quit', group: 'Everywhere', help: ['Q ^C', 'quit now'] },
  { keys: ['ctrl-c'], command: 'interrupt', group: 'Everywhere' },
  { keys: ['ctrl-z'], command: 'suspend', group: 'Everywhere', help: ['^Z', 'suspend'] },
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: CompressState): Command | undefined {
  return bindingOf(COMPRESS_KEYS, key, state)?.command
}
