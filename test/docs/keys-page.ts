import { ATTACK_KEYS } from '../../src/show/tui/attack/keys.js'
import { COMPRESS_KEYS } from '../../src/show/tui/compress/keys.js'
import { EVENTS_KEYS } from '../../src/show/tui/events/keys.js'
import { FLOW_KEYS } from '../../src/show/tui/flow/keys.js'
import { HELD_KEYS, LOGIN_KEYS, RETRY_KEYS } from '../../src/show/tui/flow/panel-keys.js'
import { HOME_KEYS } from '../../src/show/tui/home/keys.js'
import { LEARN_KEYS } from '../../src/show/tui/learn/keys.js'
import type { HelpRow } from '../../src/show/tui/screen/help.js'
import { EDIT_KEYS } from '../../src/show/tui/screen/key-rows.js'
import { MENU_KEYS } from '../../src/show/tui/screen/picker.js'
import { SERVE_KEYS } from '../../src/show/tui/serve/keys.js'
import { WORKSHOP_KEYS } from '../../src/show/tui/workshop/keys.js'

/** A part of the keys page: where its keys are, and what is worth knowing there. */
interface KeysPart {
  readonly title: string
  readonly about: string
  readonly tables: ReadonlyArray<readonly HelpRow[]>
}

const parts: readonly KeysPart[] = [
  {
    title: 'Menu',
    about:
      'A bare `oauth-lab`. What is chosen runs in the same terminal; the menu is there again when it has ended.',
    tables: [HOME_KEYS],
  },
  {
    title: 'Flow stepper',
    about:
      '`oauth-lab flow …` and `oauth-lab play`. `+` moves the lab’s clock; growing and shrinking a pane take the same keys of the keyboard without Shift, since a clock that is moved never goes back.',
    tables: [FLOW_KEYS, LOGIN_KEYS, HELD_KEYS, RETRY_KEYS],
  },
  {
    title: 'Attack',
    about:
      '`oauth-lab attack run NAME` on a terminal. Both runs stay on the screen, and the first line in which they differ is marked.',
    tables: [ATTACK_KEYS],
  },
  {
    title: 'Lessons',
    about:
      '`oauth-lab learn` on a terminal. While a line is typed, every key types: Tab fills in a line of the task, ↑ and ↓ bring earlier lines, Esc leaves it. A pasted text opens the line.',
    tables: [LEARN_KEYS],
  },
  {
    title: 'Dashboard',
    about: '`oauth-lab serve`, and `oauth-lab play` with events.',
    tables: [SERVE_KEYS],
  },
  {
    title: 'Workshop',
    about:
      '`oauth-lab workshop` on a terminal. 1 is the people, 2 who is held by one rule, 3 the answers to the predictions.',
    tables: [WORKSHOP_KEYS],
  },
  {
    title: 'Compression lab',
    about: '`oauth-lab compress`. `e` and `p` change the selected case, `b` what all of them ask for.',
    tables: [COMPRESS_KEYS],
  },
  {
    title: 'Security events',
    about:
      '`oauth-lab cf events` on a terminal. 1 is the counts, 2 the list, 3 the event, 4 its chat attachment.',
    tables: [EVENTS_KEYS],
  },
  { title: 'On every screen', about: 'What is in front gets the keys.', tables: [MENU_KEYS, EDIT_KEYS] },
]

/** A text in a cell of a Markdown table. */
const cell = (text: string): string => text.replaceAll('|', '\\|')

function tablesOf({ tables }: KeysPart): string[] {
  const rows = tables.flat()
  const groups = [...new Set(rows.map(({ group }) => group))]
  return groups.flatMap(group => [
    `### ${group}`,
    '',
    '| keys | what they do |',
    '|---|---|',
    ...rows.flatMap(({ group: of, help }) =>
      of === group && help ? [`| \`${cell(help[0])}\` | ${cell(help[1])} |`] : [],
    ),
    '',
  ])
}

/** docs/reference/keys.md, made of the key tables that the screens obey. */
export function keysPage(): string {
  const head = [
    '# Keys',
    '',
    'Made of the key tables of the screens by `npm run docs`; a test holds it equal to them. `^C` is Ctrl-C.',
    '',
  ]
  const body = parts.flatMap(part => [`## ${part.title}`, '', part.about, '', ...tablesOf(part)])
  return `${[...head, ...body].join('\n').trimEnd()}\n`
}
