import type { BoardLesson, BoardPoll, ShownBoard, ShownPerson } from '../../../servers/room/model.js'
import type { Front } from '../screen/key-rows.js'
import { clamp, filterOf } from '../screen/list.js'
import { without } from '../screen/store.js'

/** The panes of the screen, in the order of their numbers. */
export const PANES = ['people', 'groups', 'polls'] as const

export type Pane = (typeof PANES)[number]

/** The menus of the screen. */
export type MenuName = 'lesson' | 'pace' | 'end'

/** Everything the screen knows; its frame is a function of this, the size and the clock. */
export interface WorkshopState extends Front {
  readonly board: ShownBoard
  readonly pane: Pane
  /** The selected person, such as `K7-03`. */
  readonly who?: string
  /** Index of the selected group. */
  readonly group: number
  /** First line of the polls, and of the person who is open. */
  readonly scroll: number
  readonly filter: string
  /** The filter as it was, while another one is typed. */
  readonly typing?: { readonly before: string }
  /** A sentence that is typed, and who reads it; without `who`: all. */
  readonly saying?: { readonly text: string; readonly who?: string }
  /** True while the selected person is shown in full. */
  readonly open: boolean
  readonly namesHidden: boolean
  readonly menuName?: MenuName
}

/** The screen of a room. */
export const initialState = (board: ShownBoard): WorkshopState => ({
  board,
  pane: 'people',
  group: 0,
  scroll: 0,
  filter: '',
  open: false,
  namesHidden: false,
})

/** The name of a person as the screen shows it. */
export const nameOf = ({ namesHidden }: WorkshopState, { who, name }: ShownPerson): string =>
  namesHidden ? who : name

/** The people who are in the room. */
export const present = ({ people }: ShownBoard): readonly ShownPerson[] =>
  people.filter(({ leftAt }) => leftAt === undefined)

/** The lesson of the columns. */
export const shownLesson = ({ lessons, lesson }: ShownBoard): BoardLesson | undefined =>
  lessons.find(({ name }) => name === lesson)

/** The polls, that of the shown lesson first. */
export const shownPolls = ({ polls, lesson }: ShownBoard): readonly BoardPoll[] =>
  polls.toSorted((a, b) => Number(b.lesson === lesson) - Number(a.lesson === lesson))

const FIELDS: ReadonlySet<string> = new Set(['lesson', 'task'])

/** The people whom the filter lets through: the stuck ones first, then as they came. */
export function listed(state: WorkshopState): readonly ShownPerson[] {
  const { board, filter } = state
  const fits = filterOf(filter, FIELDS)
  const rules = new Map<string, string>()
  for (const { rule, who } of board.groups) for (const each of who) rules.set(each, rule)
  const found = board.people.filter(person => {
    const { who, lesson, task, stuck, presence } = person
    const words = [nameOf(state, person), who, lesson, task, presence, rules.get(who)]
    const text = [...words, stuck && `stuck ${stuck.text}`].filter(each => each !== undefined).join(' ')
    return fits({ fields: { lesson, task }, text })
  })
  return found.toSorted((a, b) => Number(a.stuck === undefined) - Number(b.stuck === undefined))
}

/** Index of the selected person in the list; 0 for one who is not listed. */
export const selectedIndex = (state: WorkshopState): number =>
  Math.max(
    0,
    listed(state).findIndex(({ who }) => who === state.who),
  )

/** The selected person; undefined in an empty list. */
export const selected = (state: WorkshopState): ShownPerson | undefined => listed(state)[selectedIndex(state)]

/** Index of the selected group. */
export const groupIndex = ({ group, board }: WorkshopState): number =>
  clamp(group, 0, Math.max(0, board.groups.length - 1))

/** Goes `by` people, groups or lines further. @param limit the last line that may come first */
export function moved(state: WorkshopState, by: number, limit: number): WorkshopState {
  if (state.open || state.pane === 'polls')
    return { ...state, scroll: clamp(state.scroll + by, 0, Math.max(0, limit)) }
  if (state.pane === 'groups') {
    const last = Math.max(0, state.board.groups.length - 1)
    return { ...state, group: clamp(groupIndex(state) + by, 0, last) }
  }
  const list = listed(state)
  const to = list[clamp(selectedIndex(state) + by, 0, Math.max(0, list.length - 1))]
  return to === undefined ? state : { ...state, who: to.who }
}

/** Opens the selected person; of a group, lists only its people. */
export function opened(state: WorkshopState): WorkshopState {
  if (state.pane === 'groups') {
    const group = state.board.groups[groupIndex(state)]
    if (group === undefined) return state
    return { ...state, pane: 'people', filter: `task:${group.task} ${group.rule}` }
  }
  const person = selected(state)
  return person === undefined ? state : { ...state, who: person.who, open: true, scroll: 0 }
}

/** One thing back: the open person, the filter. */
export function back(state: WorkshopState): WorkshopState {
  return state.open ? { ...state, open: false, scroll: 0 } : { ...state, filter: '' }
}

/** The board changed. */
export const came = (state: WorkshopState, board: ShownBoard): WorkshopState => ({ ...state, board })

/** Begins a sentence: to the open person, else to all. */
export function says(state: WorkshopState): WorkshopState {
  const { open, who } = state
  return { ...state, saying: { text: '', ...(open && who !== undefined && { who }) } }
}

/** Leaves the sentence. */
export const silent = (state: WorkshopState): WorkshopState => without(state, 'saying')
