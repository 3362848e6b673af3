import { clamp, picked } from '../screen/list.js'
import type { Searching } from '../screen/search.js'
import { without } from '../screen/store.js'
import {
  type CommandOutput,
  type Course,
  type CourseRow,
  type LabNow,
  type LessonPage,
  OUTPUT_PANES,
  type OutputPane,
  type RoomNow,
  type SeenEvent,
  type VerdictNow,
} from './content.js'

/** The panes of a lesson, in the order of their numbers. */
export const PANES = ['lesson', 'servers', ...OUTPUT_PANES] as const

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
  readonly room?: RoomNow
  readonly events: readonly SeenEvent[]
  readonly verdict?: VerdictNow
  readonly outputs: Readonly<Partial<Record<OutputPane, CommandOutput>>>
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
    outputs: {},
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
export function showsLower({ lesson, outputs }: LearnState): boolean {
  return lesson?.phase === 'task' || lesson?.phase === 'passed' || Object.keys(outputs).length > 0
}

/** The panes that there are now. */
export const openPanes = ({ outputs }: LearnState): readonly Pane[] =>
  PANES.filter(pane => pane === 'lesson' || pane === 'servers' || pane === 'output' || outputs[pane])

/** True for the pane of a command. */
export const isOutput = (pane: Pane): pane is OutputPane => pane !== 'lesson' && pane !== 'servers'

/** The first pane without a command that runs; undefined where one runs in each. */
export const freePane = ({ outputs }: LearnState): OutputPane | undefined =>
  OUTPUT_PANES.find(pane => !outputs[pane]?.running)

/** The pane whose command `x` stops: the shown one, else the last one; undefined where none runs. */
export function runningPane({ outputs, lower }: LearnState): OutputPane | undefined {
  const running = OUTPUT_PANES.filter(pane => outputs[pane]?.running)
  return running.find(pane => pane === lower) ?? running.at(-1)
}

/** Keeps the commands that run. */
function withRunning(state: LearnState): LearnState {
  const running = Object.entries(state.outputs).filter(([, output]) => output.running)
  return { ...state, outputs: Object.fromEntries(running) }
}

/** The reason for which the learner waits for the room at the end of a task or lesson; undefined where the way is open. */
export function heldBy({ lesson, room }: LearnState): string | undefined {
  return lesson?.phase === 'passed' || lesson?.phase === 'end' ? room?.gate : undefined
}

/** Shows a page of a lesson. */
export function withLesson(state: LearnState, lesson: LessonPage): LearnState {
  const other = state.lesson?.name !== lesson.name
  const asked = state.lesson?.phase === 'predict' && lesson.phase !== 'predict'
  const further = other || (state.lesson?.phase === 'passed' && lesson.phase !== 'passed')
  const kept = other
    ? without(withRunning(state), 'verdict', 'option', 'typing')
    : further
      ? without(withRunning(state), 'option')
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

/** A command printed, or ended. The pane is shown when the command begins. */
export function withOutput(state: LearnState, output: CommandOutput, pane: OutputPane): LearnState {
  const before = state.outputs[pane]
  const now = { ...state, outputs: { ...state.outputs, [pane]: output } }
  if (before?.running && before.line === output.line) return now
  const keys = state.pane === 'lesson' ? 'lesson' : pane
  return { ...now, lower: pane, pane: keys, scroll: without(state.scroll, pane) }
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
  if (!openPanes(state).includes(pane) || (pane !== 'lesson' && !showsLower(state))) return state
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
