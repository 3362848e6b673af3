import type { Binding } from '../screen/key-table.js'
import { bindingOf } from '../screen/key-table.js'
import { exitKeys, moveKeys, paneKeys, type ScreenCommand } from '../screen/screen-keys.js'
import type { Phase } from './content.js'
import { type LearnState, showsLower } from './state.js'

/** The commands of this screen alone. */
export type Command =
  | 'choose'
  | 'option'
  | 'goOn'
  | 'type'
  | 'hint'
  | 'solution'
  | 'explain'
  | 'weak'
  | 'stop'
  | 'course'
  | 'open'
  | 'again'
  | 'review'
  | 'nextPane'
  | 'previousPane'
  | 'pane'

/** The state, and what only its drawing knows. */
export interface DrawnState extends LearnState {
  /** True when the text of the lesson goes on below. */
  readonly more?: boolean
}

type LearnBinding = Binding<DrawnState, Command | ScreenCommand, 'Everywhere' | 'Lesson' | 'Course'>

const inLesson = ({ help, view, page }: LearnState): boolean =>
  !help && view === 'lesson' && page !== undefined
const inCourse = ({ help, view }: LearnState): boolean => !help && view === 'course'
const at =
  (...phases: readonly Phase[]) =>
  (state: LearnState): boolean =>
    inLesson(state) && phases.includes(state.page!.phase)

const predicting = at('predict')
const doing = at('task')
const typeable = at('task', 'passed', 'end')
const waits = at('passed', 'end')
const over = (state: DrawnState): boolean => waits(state) && state.more !== true
const split = (state: LearnState): boolean => inLesson(state) && showsLower(state)

/** The keys of the screen, in the order of the hint line. */
export const LEARN_KEYS: readonly LearnBinding[] = [
  {
    keys: ['enter'],
    command: 'choose',
    group: 'Lesson',
    hint: { text: 'enter predict it', keep: 9, when: ({ option }) => option !== undefined },
    when: predicting,
  },
  {
    keys: ['a', 'b', 'c', 'd'],
    command: 'option',
    group: 'Lesson',
    help: ['a b c d', 'predict: one of the answers'],
    hint: { text: 'a b c predict', keep: 8 },
    when: state => predicting(state) && state.page!.options.length > 0,
  },
  {
    keys: ['enter'],
    command: 'goOn',
    group: 'Lesson',
    help: ['enter', 'choose, go on, type a line'],
    hint: { text: 'enter read on', keep: 9, when: ({ more }) => more === true },
    when: waits,
  },
  { keys: [], command: 'goOn', group: 'Lesson', hint: { text: 'enter go on', keep: 9 }, when: over },
  {
    keys: ['enter', ':', 'o'],
    command: 'type',
    group: 'Lesson',
    help: [': o', 'type a line; tab fills it'],
    hint: { text: 'enter type a line', keep: 9 },
    when: doing,
  },
  { keys: [':', 'o'], command: 'type', group: 'Lesson', when: typeable },
  {
    keys: ['h'],
    command: 'hint',
    group: 'Lesson',
    help: ['h', 'the next hint'],
    hint: { text: 'h hint', keep: 9 },
    when: doing,
  },
  {
    keys: ['s'],
    command: 'solution',
    group: 'Lesson',
    help: ['s', 'the solution'],
    hint: { text: 's solution', keep: 7 },
    when: doing,
  },
  {
    keys: ['e'],
    command: 'explain',
    group: 'Lesson',
    help: ['e', 'the events behind the verdict'],
    hint: { text: 'e events', keep: 6 },
    when: doing,
  },
  {
    keys: ['w'],
    command: 'weak',
    group: 'Lesson',
    help: ['w', 'run it without the defence'],
    hint: { text: 'w without the defence', keep: 8 },
    when: state => at('end')(state) && state.page!.weakLine !== undefined,
  },
  {
    keys: ['x'],
    command: 'stop',
    group: 'Lesson',
    help: ['x', 'stop the command that runs'],
    hint: { text: 'x stop', keep: 8 },
    when: state => inLesson(state) && state.output?.running === true,
  },
  {
    keys: ['c'],
    command: 'course',
    group: 'Lesson',
    help: ['c', 'the course'],
    hint: { text: 'c course', keep: 5 },
    when: typeable,
  },
  {
    keys: ['enter'],
    command: 'open',
    group: 'Course',
    help: ['enter', 'start, go on, or read again'],
    hint: { text: 'enter open', keep: 9 },
    when: inCourse,
  },
  {
    keys: ['r'],
    command: 'again',
    group: 'Course',
    help: ['r', 'start the lesson again'],
    hint: { text: 'r again', keep: 5 },
    when: inCourse,
  },
  {
    keys: ['v'],
    command: 'review',
    group: 'Course',
    help: ['v', 'the review that is due'],
    hint: { text: 'v review', keep: 8 },
    when: state => inCourse(state) && state.course.due.length > 0,
  },
  ...paneKeys<LearnState>(4, split),
  {
    keys: ['1', '2', '3'],
    command: 'pane',
    group: 'Everywhere',
    help: ['1 2 3', 'go to that pane, which grows'],
    when: split,
  },
  ...moveKeys<LearnState>({
    hint: { text: 'j k scroll', keep: 6, when: at('task', 'passed', 'end') },
    otherHint: { text: 'j k lessons', keep: 3, when: inCourse },
    when: ({ help }) => !help,
  }),
  ...exitKeys('back, to the course'),
]

/** The command of a key in a state; undefined for a key that does nothing there. */
export function commandOf(key: string, state: LearnState): Command | ScreenCommand | undefined {
  return bindingOf(LEARN_KEYS, key, state)?.command
}
