import { clamp } from '../screen/clamp.js'
import { without } from '../screen/without.js'
import type { CommandOutput, Course, LabNow, LessonPage, SeenEvent, VerdictNow } from './content.js'

/** The panes of a lesson, in the order of their numbers. */
export const PANES = ['lesson', 'servers', 'output'] as const

export type Pane = (typeof PANES)[number]

/** The command line while it is typed. */
export interface Typing {
  readonly text: string
  /** Index in the history, counted from its end; absent: a new line. */
  readonly back?: number
  /** Index of the offered line that Tab put there last. */
  readonly offered?: number
}

/** The state of the screen; its frame is a function of this and the size. */
export interface LearnState {
  readonly view: 'lesson' | 'course'
  readonly course: Course
  /** Name of the selected lesson of the course. */
  readonly at: string
  readonly page?: LessonPage
  /** Index of the selected answer of the prediction. */
  readonly option?: number
  readonly lab?: LabNow
  readonly events: readonly SeenEvent[]
  readonly verdict?: VerdictNow
  readonly output?: CommandOutput
  readonly pane: Pane
  /** The pane that is shown below the lesson. */
  readonly lower: Exclude<Pane, 'lesson'>
  /** First line of a pane, where somebody scrolled it; the others follow what is new. */
  readonly scroll: Readonly<Partial<Record<Pane, number>>>
  readonly typing?: Typing
  readonly history: readonly string[]
  /** The work that is under way. */
  readonly busy?: string
  readonly help: boolean
  /** The result of the last key; the next key removes it. */
  readonly notice?: string
}

/** The actions that change the screen. */
export type Action =
  | { readonly type: 'course'; readonly course: Course }
  | { readonly type: 'page'; readonly page: LessonPage }
  | { readonly type: 'lab'; readonly lab: LabNow }
  | { readonly type: 'seen'; readonly events: readonly SeenEvent[]; readonly verdict?: VerdictNow }
  | { readonly type: 'output'; readonly output: CommandOutput }
  | { readonly type: 'view'; readonly view: LearnState['view'] }
  | { readonly type: 'move'; readonly by: number }
  | { readonly type: 'option'; readonly at: number }
  | { readonly type: 'pane'; readonly pane: Pane }
  /** `from`: the first line that is shown now. `limit`: the last line that may come first. */
  | { readonly type: 'scroll'; readonly from: number; readonly by: number; readonly limit: number }
  | { readonly type: 'typing'; readonly text: string }
  | { readonly type: 'offer' }
  | { readonly type: 'history'; readonly by: 1 | -1 }
  | { readonly type: 'stopTyping' }
  | { readonly type: 'entered'; readonly line: string }
  | { readonly type: 'busy'; readonly text: string }
  | { readonly type: 'help' }
  | { readonly type: 'notice'; readonly text: string }

/** Most lines that the history keeps. */
const MOST = 50

/** A screen that was just opened. */
export function initialState(course: Course): LearnState {
  const { rows } = course
  const at = rows.find(({ mark }) => mark === 'begun' || mark === 'next') ?? rows[0]
  return {
    view: 'course',
    course,
    at: at?.name ?? '',
    events: [],
    pane: 'lesson',
    lower: 'servers',
    scroll: {},
    history: [],
    help: false,
  }
}

/** The index of the selected lesson. */
export function selectedIndex({ course, at }: LearnState): number {
  return Math.max(
    0,
    course.rows.findIndex(({ name }) => name === at),
  )
}

/** True when events or an output are shown below the lesson. */
export function showsLower({ page, output }: LearnState): boolean {
  return page?.phase === 'task' || page?.phase === 'passed' || output !== undefined
}

function withPage(state: LearnState, page: LessonPage): LearnState {
  const other = state.page?.name !== page.name
  const asked = state.page?.phase === 'predict' && page.phase !== 'predict'
  const further = other || (state.page?.phase === 'passed' && page.phase !== 'passed')
  const kept = other
    ? without(state, 'output', 'verdict', 'option', 'typing')
    : further
      ? without(state, 'output')
      : state
  return {
    // An advice about the prediction is over with it.
    ...(asked ? without(kept, 'notice') : kept),
    page,
    view: 'lesson',
    pane: page.phase === 'task' && !further ? state.pane : 'lesson',
    // A new text is shown from its beginning; the servers are followed.
    scroll: without(state.scroll, 'lesson'),
    lower: further ? 'servers' : state.lower,
    events: other ? [] : state.events,
    at: page.name,
  }
}

function moved(state: LearnState, by: number): LearnState {
  const { rows } = state.course
  const to = clamp(selectedIndex(state) + by, 0, rows.length - 1)
  return { ...state, at: rows[to]?.name ?? state.at }
}

function chosen(state: LearnState, at: number): LearnState {
  const count = state.page?.options.length ?? 0
  return { ...without(state, 'option'), option: clamp(at, 0, count - 1), scroll: {} }
}

function toPane(state: LearnState, pane: Pane): LearnState {
  if (pane !== 'lesson' && !showsLower(state)) return state
  return { ...state, pane, lower: pane === 'lesson' ? state.lower : pane }
}

function offered(state: LearnState): LearnState {
  const lines = state.page?.lines ?? []
  if (state.typing === undefined || lines.length === 0) return state
  const at = ((state.typing.offered ?? -1) + 1) % lines.length
  return { ...state, typing: { text: lines[at] ?? '', offered: at } }
}

function fromHistory(state: LearnState, by: 1 | -1): LearnState {
  const { history, typing } = state
  if (typing === undefined) return state
  const back = (typing.back ?? 0) - by
  if (back < 1) return { ...state, typing: { text: '' } }
  const text = history.at(-back)
  return text === undefined ? state : { ...state, typing: { text, back } }
}

function withOutput(state: LearnState, output: CommandOutput): LearnState {
  const begins = state.output?.line !== output.line || output.lines.length < state.output.lines.length
  const scroll = begins ? without(state.scroll, 'output') : state.scroll
  return { ...state, output, lower: 'output', scroll }
}

/** The next state of the screen. */
export function reduce(state: LearnState, action: Action): LearnState {
  switch (action.type) {
    case 'course':
      return { ...state, course: action.course }
    case 'page':
      return withPage(state, action.page)
    case 'lab':
      return { ...state, lab: action.lab }
    case 'seen': {
      const { events, verdict } = action
      const kept = without(state, 'verdict')
      return { ...kept, events, ...(verdict && { verdict }) }
    }
    case 'output':
      return withOutput(state, action.output)
    case 'view':
      return { ...state, view: action.view, help: false }
    case 'move':
      return moved(state, action.by)
    case 'option':
      return chosen(state, action.at)
    case 'pane':
      return toPane(state, action.pane)
    case 'scroll': {
      const first = clamp(action.from + action.by, 0, action.limit)
      return { ...state, scroll: { ...state.scroll, [state.pane]: first } }
    }
    case 'typing':
      return { ...state, typing: { text: action.text } }
    case 'offer':
      return offered(state)
    case 'history':
      return fromHistory(state, action.by)
    case 'stopTyping':
      return without(state, 'typing')
    case 'entered': {
      const history = [...state.history.filter(line => line !== action.line), action.line].slice(-MOST)
      return { ...without(state, 'typing'), history }
    }
    case 'busy':
      return action.text === '' ? without(state, 'busy') : { ...state, busy: action.text }
    case 'help':
      return { ...state, help: !state.help }
    case 'notice':
      return action.text === '' ? without(state, 'notice') : { ...state, notice: action.text }
  }
}
