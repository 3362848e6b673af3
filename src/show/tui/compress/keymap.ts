import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, paneKeys, type ScreenCommand } from '../screen/screen-keys.js'
import type { CompressState } from './state.js'

/** The commands of this screen alone. */
export type Command =
  | 'next'
  | 'previous'
  | 'body'
  | 'offer'
  | 'mode'
  | 'reset'
  | 'nextPane'
  | 'previousPane'
  | 'pane'
  | 'export'
  | 'copy'

type CompressBinding = Binding<CompressState, Command | ScreenCommand, 'Everywhere' | 'Compression'>

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
  ...paneKeys<CompressState>(4, looking),
  { keys: ['1', '2'], command: 'pane', group: 'Everywhere', help: ['1 2', 'go to that pane'], when: looking },
  ...moveKeys<CompressState>({ when: looking }),
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
  ...exitKeys(),
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: CompressState): Command | ScreenCommand | undefined {
  return bindingOf(COMPRESS_KEYS, key, state)?.command
}
