import type { Signs } from '../../render/text/signs.js'
import type { Line } from '../../render/text/spans.js'
import { foreign, line, span } from '../../render/text/spans.js'
import { wrap } from '../../render/text/text.js'
import type { Binding } from '../screen/key-table.js'

/** The commands of the keys while a request got no answer and may be sent again. */
export type RetryCommand = 'again' | 'fail' | 'quit' | 'interrupt' | 'suspend'

const group = 'When no answer comes'

/** The keys while it is asked. */
export const RETRY_KEYS: ReadonlyArray<Binding<unknown, RetryCommand>> = [
  {
    keys: ['enter', 'r'],
    command: 'again',
    group,
    help: ['enter r', 'send it again'],
    hint: { text: 'enter send it again', keep: 9 },
  },
  {
    keys: ['esc', 'q'],
    command: 'fail',
    group,
    help: ['esc q', 'let the flow fail'],
    hint: { text: 'esc let the flow fail', keep: 8 },
  },
  { keys: ['Q'], command: 'quit', group, help: ['Q ^C', 'quit now'], hint: { text: '^C quit', keep: 10 } },
  { keys: ['ctrl-c'], command: 'interrupt', group },
  { keys: ['ctrl-z'], command: 'suspend', group },
]

/** The lines of the panel. */
export function retryLines(why: string, columns: number, signs: Signs): Line[] {
  const [first = '', ...more] = wrap(foreign(why, signs), columns - 2)
  return [
    [span(`${signs.refused} `, 'refused'), span(first, 'strong')],
    ...more.map(part => line(`  ${part}`, 'strong')),
    line(''),
    line('  The request was sent, or could not be; nobody knows what the server did with it.'),
    line('  Send it again once the server is back, or let the flow fail.'),
  ]
}
