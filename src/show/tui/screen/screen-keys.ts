import type { Binding } from './key-table.js'

/** The commands that move in a list or a text. */
export type MoveCommand = 'down' | 'up' | 'pageDown' | 'pageUp' | 'first' | 'last'

/** The commands that every screen has. */
export type ScreenCommand = MoveCommand | 'help' | 'back' | 'leave' | 'quit' | 'interrupt' | 'suspend'

type Row<State, Command extends string> = Binding<State, Command, 'Everywhere'>
type Hint<State> = NonNullable<Binding<State, string>['hint']>
type When<State> = (state: State) => boolean

const limited = <State, Command extends string>(
  rows: readonly Row<State, Command>[],
  when: When<State> | undefined,
): readonly Row<State, Command>[] => (when === undefined ? rows : rows.map(row => ({ ...row, when })))

/** The decisions of a screen about the keys that move. */
export interface MoveKeysOptions<State> {
  /** Their meaning on the help page. */
  readonly meaning?: 'move' | 'move or scroll'
  readonly hint?: Hint<State>
  /** A second hint, for a state in which the keys have another meaning. */
  readonly otherHint?: Hint<State>
  /** True when Tab moves too, because there are no panes. */
  readonly byTab?: boolean
  readonly when?: When<State>
}

/** The keys that move by a line or a page, or to an end. */
export function moveKeys<State>(options: MoveKeysOptions<State> = {}): readonly Row<State, MoveCommand>[] {
  const { meaning = 'move or scroll', hint, otherHint, byTab = false, when } = options
  const group = 'Everywhere'
  return limited<State, MoveCommand>(
    [
      {
        keys: byTab ? ['j', 'down', 'tab'] : ['j', 'down'],
        command: 'down',
        group,
        help: ['j k ↓ ↑', meaning],
        ...(hint && { hint }),
      },
      {
        keys: byTab ? ['k', 'up', 'shift-tab'] : ['k', 'up'],
        command: 'up',
        group,
        ...(otherHint && { hint: otherHint }),
      },
      { keys: ['ctrl-f', 'pagedown'], command: 'pageDown', group, help: ['^f ^b', 'page down, page up'] },
      { keys: ['ctrl-b', 'pageup'], command: 'pageUp', group },
      { keys: ['g', 'home'], command: 'first', group, help: ['g G', 'first, last'] },
      { keys: ['G', 'end'], command: 'last', group },
    ],
    when,
  )
}

/** The keys that go from pane to pane. */
export function paneKeys<State>(
  keep: number,
  when?: When<State>,
): readonly Row<State, 'nextPane' | 'previousPane'>[] {
  const group = 'Everywhere'
  return limited<State, 'nextPane' | 'previousPane'>(
    [
      {
        keys: ['tab'],
        command: 'nextPane',
        group,
        help: ['tab', 'next pane'],
        hint: { text: 'tab pane', keep },
      },
      { keys: ['shift-tab'], command: 'previousPane', group },
    ],
    when,
  )
}

/** The keys for help, for the way back, and for the way out. */
export function exitKeys(back = 'back'): readonly Row<unknown, Exclude<ScreenCommand, MoveCommand>>[] {
  const group = 'Everywhere'
  return [
    { keys: ['?'], command: 'help', group, help: ['?', 'this help'], hint: { text: '? help', keep: 10 } },
    { keys: ['esc'], command: 'back', group, help: ['esc', back] },
    {
      keys: ['q'],
      command: 'leave',
      group,
      help: ['q', 'back, or quit'],
      hint: { text: 'q quit', keep: 10 },
    },
    { keys: ['Q'], command: 'quit', group, help: ['Q ^C', 'quit now'] },
    { keys: ['ctrl-c'], command: 'interrupt', group },
    { keys: ['ctrl-z'], command: 'suspend', group, help: ['^Z', 'suspend'] },
  ]
}
