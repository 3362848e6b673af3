import { MAX_SENTENCE, type Pace } from '../../../protocol/room/messages.js'
import type { LeadAction } from '../../../servers/room/model.js'
import {
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Press,
  paneKeys,
  pressInFilter,
  pressInLine,
  type ScreenKeys,
  typesFilter,
} from '../screen/key-rows.js'
import { type Menu, type MenuItem, opened as openedMenu, pressInMenu } from '../screen/menu.js'
import { without } from '../screen/store.js'
import { type FrameContext, rowsOf, scrollLimit } from './panes.js'
import {
  back,
  type MenuName,
  moved,
  nameOf,
  opened,
  PANES,
  type Pane,
  says,
  selected,
  silent,
  type WorkshopState,
} from './state.js'

/** The parts of the screen that keys act on. */
export interface WorkshopPorts {
  /** Acts for the teacher. @returns false when the room has no such lesson, task or person */
  readonly lead: (action: LeadAction) => boolean
  readonly context: () => FrameContext
}

type WorkshopPress = Press<WorkshopState, WorkshopPorts>

/** A choice of a menu: the action, and what the notice says. */
interface Choice {
  readonly action: (now: number) => LeadAction
  readonly said: string
}

const MINUTES = [5, 10, 20]

const paces: readonly [key: string, text: string, pace: (now: number) => Pace][] = [
  ['f', 'each at their own pace', () => ({ kind: 'free' })],
  ['m', 'together, once 80 % are done', () => ({ kind: 'together', share: 0.8 })],
  ['a', 'together, once all are done', () => ({ kind: 'together', share: 1 })],
  ...MINUTES.map((minutes, i): (typeof paces)[number] => [
    String(i + 1),
    `together, in ${minutes} minutes`,
    now => ({ kind: 'until', at: new Date(now + minutes * 60_000).toISOString() }),
  ]),
]

/** The menus by their names. */
export function workshopMenu(name: MenuName, { board }: WorkshopState): Menu<Choice> {
  const { phase, lessons } = board
  if (name === 'end') {
    return {
      title: 'End the room?',
      note: 'People work on by themselves, and their progress is no longer sent.',
      items: [
        { key: 'e', text: 'end it', choice: { action: () => ({ do: 'end' }), said: 'The room has ended.' } },
      ],
    }
  }
  if (name === 'pace') {
    const lesson = phase.lesson === undefined ? {} : { lesson: phase.lesson }
    return {
      title: 'Pace',
      items: paces.map(([key, text, pace]) => ({
        key,
        text,
        choice: { action: now => ({ do: 'phase', ...lesson, pace: pace(now) }), said: text },
      })),
    }
  }
  const free: MenuItem<Choice> = {
    key: '0',
    text: 'each a lesson of their own',
    choice: { action: () => ({ do: 'phase', pace: phase.pace }), said: 'each at a lesson of their own' },
  }
  return {
    title: 'Lesson of the room',
    items: [
      free,
      ...lessons.map(({ name: lesson, title }) => ({
        key: '',
        text: `${lesson.slice(0, 2)} ${title}`,
        choice: {
          action: () => ({ do: 'phase', lesson, pace: phase.pace }) as const,
          said: `the room is at ${lesson}`,
        },
      })),
    ],
  }
}

const menuOf =
  (name: MenuName) =>
  (state: WorkshopState): WorkshopState => ({
    ...state,
    menuName: name,
    menu: openedMenu(workshopMenu(name, state).title, state),
  })

/** Acts, and says how it went. */
function act({ lead, store }: WorkshopPress, action: LeadAction, said: string): void {
  const good = lead(action)
  store.update(state => ({
    ...state,
    notice: { text: good ? said : 'The room has no such lesson, task or person', good },
  }))
}

/** The person whom a key is about: the open one. */
const target = (state: WorkshopState) => (state.open ? selected(state) : undefined)

function hint(on: WorkshopPress): void {
  const person = target(on.state)
  if (person === undefined) act(on, { do: 'hint' }, 'Everybody has the next hint.')
  else act(on, { do: 'hint', who: person.who }, `${nameOf(on.state, person)} has the next hint.`)
}

function next(on: WorkshopPress): void {
  const following = on.state.board.next
  if (following !== undefined) act(on, following.action, following.text)
}

const shown = ({ page }: WorkshopState): boolean => !page
const panes = (state: WorkshopState): boolean => shown(state) && !state.open
const openable = (state: WorkshopState): boolean => panes(state) && state.pane !== 'polls'

const row = keyRows<WorkshopState, WorkshopPress>

/** The keys of the screen, in the order of the hint line. */
export const WORKSHOP_KEYS: KeyTable<WorkshopState, WorkshopPress> = [
  ...row('Room', [
    ['enter', 'open; of a rule, its people', { change: opened }, ['enter open', 8], openable],
    ['s', 'say it to all, or to one', { change: says }, ['s say', 9], shown],
    ['o', 'open what is next', { does: next }, ['o next', 9, ({ board }) => board.next !== undefined], shown],
    ['p', 'the pace', { change: menuOf('pace') }, ['p pace', 7], shown],
    ['L', 'the lesson of the room', { change: menuOf('lesson') }, ['L lesson', 6], shown],
    ['H', 'a hint to all, or to one', { does: hint }, ['H hint', 7], shown],
    [
      'n',
      'hide, show the names',
      { change: state => ({ ...state, namesHidden: !state.namesHidden }) },
      ['n names', 6],
      shown,
    ],
    ['i', 'how people join', { change: state => ({ ...state, page: 'info' }) }, ['i join', 5], shown],
    ['E', 'end the room', { change: menuOf('end') }, undefined, shown],
  ]),
  ...paneKeys<Pane, WorkshopState, WorkshopPress>({
    panes: PANES,
    to: (state, pane) => ({ ...state, pane, scroll: 0 }),
    keep: 4,
    help: ['1 … 3', 'people, rules, predictions'],
    when: panes,
  }),
  ...moveKeys<WorkshopState, WorkshopPress>(
    ({ store, state, size, context }, by, distance) => {
      const limit = scrollLimit(state, size, context())
      store.update(latest => moved(latest, linesOf(by, distance, rowsOf(state, size)), limit))
    },
    { hint: ['j k move', 3], when: shown },
  ),
  ...row('Room', [
    ['/', 'filter: stuck task:verifier', typesFilter(({ filter }) => filter), ['/ filter', 5], panes],
  ]),
  ...exitKeys<WorkshopState, WorkshopPress>(back, ({ open }) => open, 'back, clear the filter'),
]

/** Carries out a key press while a sentence is typed. */
function pressInSentence(on: WorkshopPress, { text, who }: NonNullable<WorkshopState['saying']>): void {
  const { store, state, press } = on
  pressInLine(
    press,
    {
      text,
      longest: MAX_SENTENCE,
      change: typed => store.update(now => ({ ...now, saying: { ...now.saying, text: typed } })),
      cancel: () => store.update(silent),
      accept() {
        store.update(silent)
        if (text.trim() === '') return
        const person = who === undefined ? undefined : state.board.people.find(each => each.who === who)
        const to = person === undefined ? 'all' : nameOf(state, person)
        act(
          on,
          { do: 'say', text: text.trim(), ...(who !== undefined && { who }) },
          `Said to ${to}: ${text.trim()}`,
        )
      },
    },
    on,
  )
}

/** The keys of the screen, and the filter, sentence or menu in front. */
export const workshopKeys: ScreenKeys<WorkshopState, WorkshopPorts> = {
  keys: WORKSHOP_KEYS,
  inFront(on) {
    const { typing, filter, saying, menu, menuName } = on.state
    if (saying !== undefined) pressInSentence(on, saying)
    else if (typing) pressInFilter(on, filter, (state, text) => ({ ...state, filter: text }))
    else if (menu !== undefined && menuName !== undefined) {
      pressInMenu(on, workshopMenu(menuName, on.state), ({ choice }) =>
        act(on, choice.action(on.context().now), choice.said),
      )
      if (on.store.get().menu === undefined) on.store.update(state => without(state, 'menuName'))
    } else return false
    return true
  },
}
