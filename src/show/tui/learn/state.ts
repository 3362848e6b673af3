import { clamp, picked } from '../screen/list.js'
import type { Searching } from '../screen/search.js'
import { without } from '../screen/store.js'
import type {
  CommandOutput,
  Course,
  CourseRow,
  LabNow,
  LessonPage,
  SeenEvent,
  VerdictNow,
} from './content.js'

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
export interface LearnState extends Searching<Pane> {
  readonly view: 'lesson' | 'course'
  readonly course: Course
  /** Name of the selected lesson of the course. */
  readonly at: string
  readonly lesson?: LessonPage
  /** Index of the selected answer of the prediction. */
  readonly option?: number
  readonly lab?: LabNow
  readonly events: readonly SeenEvent[]
  readonly verdict?: VerdictNow
  readonly output?: CommandOutput
  /** The pane that is shown below the lesson. */
  readonly lower: Exclude<Pane, 'lesson'>
  readonly typing?: Typing
  /** Narrows the list of lessons. */
  readonly filter?: string
  /** The filter as it was, while another one is typed. */
  readonly filtering?: { readonly before: string }
  readonly history: readonly string[]
  /** The work that is under way; empty or absent: none. */
  readonly busy?: string
  /** Set for a frame alone, whose text of the lesson goes on below. */
  readonly more?: boolean
}

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
  }
}

/** The lessons that fit the filter, and the place of the selected one among them. */
export function listedLessons({ course: { rows }, at, filter = '' }: LearnState): {
  readonly rows: readonly CourseRow[]
  readonly at: number
} {
  const choices = rows.map(({ name, title, part }) => ({ name, text: `${part} ${name} ${title}` }))
  const index = rows.findIndex(({ name }) => name === at)
  const { listed, at: place } = picked(choices, { at: index, filter })
  return { rows: listed.map(i => rows[i]!), at: place }
}

/** The selected lesson of the course; undefined where none fits the filter. */
export function selectedLesson(state: LearnState): CourseRow | undefined {
  const { rows, at } = listedLessons(state)
  return rows[at]
}

/** Gives the list of lessons another filter. */
export const filtered = (state: LearnState, filter: string): LearnState => ({ ...state, filter })

/** True when events or an output are shown below the lesson. */
export function showsLower({ lesson, output }: LearnState): boolean {
  return lesson?.phase === 'task' || lesson?.phase === 'passed' || output !== undefined
}

/** Shows a page of a lesson. */
export function withLesson(state: LearnState, lesson: LessonPage): LearnState {
  const other = state.lesson?.name !== lesson.name
  const asked = state.lesson?.phase === 'predict' && lesson.phase !== 'predict'
  const further = other || (state.lesson?.phase === 'passed' && lesson.phase !== 'passed')
  const kept = other
    ? without(state, 'output', 'verdict', 'option', 'typing')
    : further
      ? without(state, 'output')
      : state
  return {
    // An advice about the prediction is over with it.
    ...(asked ? without(kept, 'notice') : kept),
    lesson,
    view: 'lesson',
    pane: lesson.phase === 'task' && !further ? state.pane : 'lesson',
    // A new text is shown from its beginning; the servers are followed.
    scroll: without(state.scroll, 'lesson'),
    lower: further ? 'servers' : state.lower,
    events: other ? [] : state.events,
    at: lesson.name,
  }
}

/** The servers were heard, and the task was judged. */
export const withVerdict = (
  state: LearnState,
  events: LearnState['events'],
  verdict: VerdictNow,
): LearnState => ({ ...state, events, verdict })

/** A command printed, or ended. */
export function withOutput(state: LearnState, output: CommandOutput): LearnState {
  const begins = state.output?.line !== output.line || output.lines.length < state.output.lines.length
  const scroll = begins ? without(state.scroll, 'output') : state.scroll
  return { ...state, output, lower: 'output', scroll }
}

/** Goes to the course, or back to the lesson. */
export const toView = (state: LearnState, view: LearnState['view']): LearnState => ({
  ...without(state, 'page'),
  view,
})

/** Selects the lesson `by` further in the course. */
export function moved(state: LearnState, by: number): LearnState {
  const { rows, at } = listedLessons(state)
  const to = clamp(at + by, 0, Math.max(0, rows.length - 1))
  return { ...state, at: rows[to]?.name ?? state.at }
}

/** Selects an answer of the prediction. */
export function withOption(state: LearnState, at: number): LearnState {
  const count = state.lesson?.options.length ?? 0
  return { ...state, option: clamp(at, 0, count - 1), scroll: {} }
}

export function toPane(state: LearnState, pane: Pane): LearnState {
  if (pane !== 'lesson' && !showsLower(state)) return state
  return { ...state, pane, lower: pane === 'lesson' ? state.lower : pane }
}

/**
 * Scrolls a pane.
 * @param from the first line that is shown now
 * @param limit the last line that may come first
 */
export function scrolled(state: LearnState, pane: Pane, from: number, by: number, limit: number): LearnState {
  return { ...state, scroll: { ...state.scroll, [pane]: clamp(from + by, 0, limit) } }
}

/** The command line holds a text. */
export const typing = (state: LearnState, text: string): LearnState => ({ ...state, typing: { text } })

/** Leaves the command line. */
export const notTyping = (state: LearnState): LearnState => without(state, 'typing')

/** Puts the next line of the task into the command line. */
export function offered(state: LearnState): LearnState {
  const lines = state.lesson?.lines ?? []
  if (state.typing === undefined || lines.length === 0) return state
  const at = ((state.typing.offered ?? -1) + 1) % lines.length
  return { ...state, typing: { text: lines[at] ?? '', offered: at } }
}

/** Puts an earlier or a later line of the history into the command line. */
export function fromHistory(state: LearnState, by: 1 | -1): LearnState {
  const back = (state.typing?.back ?? 0) - by
  if (back < 1) return typing(state, '')
  const text = state.history.at(-back)
  return text === undefined ? state : { ...state, typing: { text, back } }
}

/** A line was typed to its end. */
export function entered(state: LearnState, line: string): LearnState {
  const history = [...state.history.filter(each => each !== line), line].slice(-MOST)
  return { ...notTyping(state), history }
}
