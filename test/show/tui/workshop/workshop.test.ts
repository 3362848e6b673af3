import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ruleDocuments } from '../../../../src/protocol/rules/documents.js'
import type { LeadAction } from '../../../../src/servers/room/model.js'
import { boardShower } from '../../../../src/servers/room/pages/shown-board.js'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { frameOf, runWorkshopScreen } from '../../../../src/show/tui/workshop/run.js'
import {
  initialState,
  moved,
  opened,
  says,
  type WorkshopState,
} from '../../../../src/show/tui/workshop/state.js'
import { madeBoard } from '../../../servers/room/made-board.js'
import { hostileText } from '../../render/hostile.js'
import { fakeTerminal } from '../screen/fake-terminal.js'
import { draws, expectFit, sizes, typeKeys } from '../screen/frames.js'
import { paint } from '../screen/paint.js'

const shown = boardShower(await ruleDocuments())
const begun = initialState(shown(madeBoard()))
const now = Date.parse('2026-11-28T10:21:00Z')
const JOIN = ['Participants type:', 'npx oauth-lab join 192.0.2.7:8448 K7QM-3D9X-0ABC-DEFG-HJKM-NPQR']

const draw = (state: WorkshopState, columns: number, rows: number, ascii = false): string =>
  paint(frameOf(state, { columns, rows }, { signs: signsFor({ ascii }), now }, JOIN))

const empty: WorkshopState = initialState(shown({ ...madeBoard(0), groups: [], polls: [] }))

const drawings: Readonly<Record<string, () => string>> = {
  'people-120x40': () => draw(begun, 120, 40),
  'people-100x30': () => draw(moved(begun, 3, 0), 100, 30),
  'people-80x24': () => draw(begun, 80, 24),
  'people-60x20': () => draw(begun, 60, 20),
  'hidden-80x24': () => draw({ ...begun, namesHidden: true, pane: 'groups' }, 80, 24),
  'person-80x24': () => draw(opened(begun), 80, 24),
  'saying-80x24': () => draw({ ...begun, saying: { text: 'Look at step 3' } }, 80, 24),
  'pace-80x24': () => draw({ ...begun, menuName: 'pace', menu: {} }, 80, 24),
  'join-80x24': () => draw({ ...begun, page: 'info' }, 80, 24),
  'help-80x24': () => draw({ ...begun, page: 'help' }, 80, 24),
  'nobody-80x24': () => draw(empty, 80, 24),
  'ascii-60x20': () => draw(begun, 60, 20, true),
}

describe('the screen of a workshop', () => {
  draws(drawings)

  it('fits every size with hostile text, and prints no control character', () => {
    fc.assert(
      fc.property(hostileText, sizes, fc.nat(400), (text, size, count) => {
        const board = madeBoard(count)
        const [lesson, ...others] = board.lessons
        const hostile = shown({
          ...board,
          room: text,
          lessons: [{ ...lesson!, title: text, question: text, options: [text, text] }, ...others],
          people: board.people.map(each => ({ ...each, name: text })),
          groups: board.groups.map(each => ({ ...each, rule: text })),
        })
        const state = initialState(hostile)
        const context = { signs: signsFor({ ascii: false }), now }
        for (const each of [
          state,
          opened(state),
          says(opened(state)),
          { ...state, pane: 'groups', filter: text } as const,
        ])
          expectFit(frameOf(each, size, context, [text]), size)
      }),
      { numRuns: 60 },
    )
  })

  it('hides every name', () => {
    for (const state of [begun, opened(begun)]) {
      const text = draw({ ...state, namesHidden: true }, 120, 40)
      for (const { name } of begun.board.people.slice(0, 10)) expect(text).not.toContain(name)
    }
  })
})

describe('the keys of the workshop', () => {
  afterEach(() => {
    process.exitCode = undefined
  })

  async function press(keys: readonly string[]): Promise<readonly LeadAction[]> {
    const actions: LeadAction[] = []
    const terminal = fakeTerminal(80, 24)
    const ended = runWorkshopScreen({
      stdin: terminal.stdin,
      stdout: terminal.stdout,
      board: () => shown(madeBoard()),
      listen: () => () => {},
      lead(action) {
        actions.push(action)
        return true
      },
      join: () => JOIN,
      now: () => now,
      ascii: false,
    })
    await vi.waitFor(() => expect(terminal.written()).toContain('enter open'), 20_000)
    await typeKeys(terminal, [...keys, 'Q'])
    await ended
    return actions
  }

  const together = { kind: 'together', share: 1 } as const

  it.each<[name: string, keys: readonly string[], actions: readonly LeadAction[]]>([
    ['a sentence to all', ['s', 'Look at 3', '\r'], [{ do: 'say', text: 'Look at 3' }]],
    ['a sentence to the open person', ['\r', 's', 'Hi', '\r'], [{ do: 'say', text: 'Hi', who: 'K7-04' }]],
    ['no sentence', ['s', 'Hi', '\u001b', 's', '\r'], []],
    ['what is next', ['o'], [{ do: 'open', task: '05-pkce/verifier' }]],
    ['a pace', ['p', 'a'], [{ do: 'phase', lesson: '05-pkce', pace: together }]],
    [
      'a time',
      ['p', '1'],
      [{ do: 'phase', lesson: '05-pkce', pace: { kind: 'until', at: '2026-11-28T10:26:00.000Z' } }],
    ],
    ['a hint to all', ['H'], [{ do: 'hint' }]],
    ['a hint to one', ['j', '\r', 'H'], [{ do: 'hint', who: 'K7-06' }]],
    ['the end, and no end', ['E', '\u001b', 'E', 'e'], [{ do: 'end' }]],
    [
      'another lesson',
      ['L', '/', '06', '\r', '\r'],
      [{ do: 'phase', lesson: '06-one-use', pace: { kind: 'together', share: 0.8 } }],
    ],
    ['one of a group', ['2', '\r', '\r', 'H'], [{ do: 'hint', who: 'K7-11' }]],
  ])('%s', async (_name, keys, actions) => expect(await press(keys)).toEqual(actions))
})
