import { withoutEnd } from '../../../protocol/values.js'
import type { Signs } from '../../render/text/signs.js'
import { copyLine, notify } from '../screen/exports.js'
import { listRoom } from '../screen/frame.js'
import {
  type Distance,
  exitKeys,
  type KeyTable,
  keyRows,
  linesOf,
  moveKeys,
  type Press,
  paneKeys,
  pressInFilterLine,
  pressInLine,
  type ScreenKeys,
} from '../screen/key-rows.js'
import { erased, typed } from '../screen/keys.js'
import { pressInSearch, type Searched, searchKeys } from '../screen/search.js'
import { without } from '../screen/store.js'
import type { HandedOver, LearnOffers, Phase } from './content.js'
import { lessonLayout, shownPane } from './panes.js'
import {
  entered,
  filtered,
  fromHistory,
  heldBy,
  isOutput,
  type LearnState,
  moved,
  notTyping,
  offered,
  openPanes,
  PANES,
  type Pane,
  runningPane,
  scrolled,
  selectedLesson,
  showsLower,
  toPane,
  toView,
  typing,
  withOption,
} from './state.js'

/** Lines below the list of the course, about the selected lesson. */
export const DETAILS = { wide: 6, normal: 5, small: 5, tooSmall: 1 } as const

/** The parts of the screen that keys act on. */
export interface LearnPorts {
  readonly offers: LearnOffers
  readonly signs: Signs
  /** True when the terminal is known to keep a clipboard. */
  readonly clipboard: boolean
  /** Gives the terminal to a command. */
  readonly handOver: (command: HandedOver) => void
}

type LearnPress = Press<LearnState, LearnPorts>

/** A pasted text: a backslash at the end of a line continues it, as in a shell. */
const joined = (text: string): string => withoutEnd(text.replace(/\\(?:\r\n|[\r\n])[ \t]*/g, ''), '\r\n')

/** A line after a text was typed or pasted behind it. A shell reads a pasted text of several lines as one script. */
const typedBehind = (line: string, text: string): string =>
  text.split(/\r\n|[\r\n]/).reduce((all, part, i) => typed(i === 0 ? all : `${all}\n`, part), line)

/** Enter in the command line. A backslash at its end continues it. */
function submit(text: string, { store, offers }: LearnPress): void {
  const line = text.trim()
  if (text.endsWith('\\')) store.update(state => typing(state, text.slice(0, -1)))
  else if (line === '') store.update(notTyping)
  else {
    store.update(state => entered(state, line))
    offers.enter(line)
  }
}

/** Gives a key to the command line. Pasted text opens it. */
function pressInCommand(on: LearnPress): boolean {
  const { state, store, press, quit, suspend } = on
  const pasted = { name: press.name, text: joined(press.text) }
  if (state.typing !== undefined) {
    const { text } = state.typing
    const stop = () => store.update(notTyping)
    const change = (to: string) => store.update(now => typing(now, to))
    const line = {
      text,
      change,
      accept: () => submit(text, on),
      cancel: stop,
      others: {
        backspace: () => (text === '' ? stop() : change(erased(text))),
        tab: () => store.update(offered),
        up: () => store.update(now => fromHistory(now, -1)),
        down: () => store.update(now => fromHistory(now, 1)),
      },
    }
    if (pasted.name === '' && /[\r\n]/.test(pasted.text)) change(typedBehind(text, pasted.text))
    else pressInLine(pasted, line, { quit, suspend })
    return true
  }
  const takes = inLesson(state) && state.lesson?.phase !== 'predict'
  if (press.name !== '' || press.text === '' || !takes) return false
  store.update(now => typing(now, typedBehind('', pasted.text)))
  return true
}

function predict({ state, offers }: LearnPress, at: number): void {
  if (at < (state.lesson?.options.length ?? 0)) offers.predict(at)
}

/** Enter at the prediction. */
function choose(on: LearnPress): void {
  if (on.state.option === undefined)
    notify(on, { text: 'What do you expect? Choose one of the answers by its letter.', good: false })
  else predict(on, on.state.option)
}

function move({ state, size, store, signs }: LearnPress, by: 1 | -1, distance: Distance): void {
  const { view, option, lesson, pane } = state
  if (view === 'course') {
    store.update(now => moved(now, linesOf(by, distance, listRoom(size, DETAILS).rows)))
  } else if (lesson?.phase === 'predict' && distance === 'line') {
    const last = lesson.options.length - 1
    store.update(now => withOption(now, option === undefined ? (by > 0 ? 0 : last) : option + by))
  } else {
    const layout = lessonLayout(state, size, signs)
    const { first, limit } = shownPane(state, pane, layout, signs)
    const rows = pane === 'lesson' ? layout.lesson : layout.lower
    store.update(now => scrolled(now, pane, first, linesOf(by, distance, rows), limit))
  }
}

/** Enter at the end of a task or lesson: the rest of the text first. */
function goOn({ state, size, store, signs, offers }: LearnPress): void {
  const layout = lessonLayout(state, size, signs)
  const { first, limit, more } = shownPane(state, 'lesson', layout, signs)
  if (more)
    store.update(now =>
      scrolled(toPane(now, 'lesson'), 'lesson', first, linesOf(1, 'page', layout.lesson), limit),
    )
  else {
    const held = heldBy(state)
    if (held === undefined) offers.goOn()
    else
      notify({ store }, { text: `${held} Read on meanwhile; esc leads to the other lessons.`, good: false })
  }
}

/** Asks for a text that comes into the lesson, so the keys go there. */
const asking = (what: 'hint' | 'solution' | 'explain') => ({
  change: (state: LearnState) => toPane(state, 'lesson'),
  does: ({ offers }: LearnPress) => offers[what](),
})

/** Opens the selected lesson of the course. */
const opening =
  (again: boolean) =>
  ({ state, offers }: LearnPress): void => {
    const here = selectedLesson(state)
    if (here) offers.open(here.name, again)
  }

function runWeak({ state, handOver }: LearnPress): void {
  const line = state.lesson?.weakLine
  if (line !== undefined) handOver({ line, args: line.split(' ').slice(1), screen: true })
}

const inLesson = ({ page, view, lesson }: LearnState): boolean =>
  !page && view === 'lesson' && lesson !== undefined
const inCourse = ({ page, view }: LearnState): boolean => !page && view === 'course'
const at =
  (...phases: readonly Phase[]) =>
  (state: LearnState): boolean =>
    inLesson(state) && phases.includes(state.lesson!.phase)

const predicting = at('predict')
const doing = at('task')
const typeable = at('task', 'passed', 'end')
const waits = at('passed', 'end')
const split = (state: LearnState): boolean => inLesson(state) && showsLower(state)
const type = (state: LearnState, { key }: LearnPress): LearnState => typing(state, key === 'o' ? 'o' : '')
const row = keyRows<LearnState, LearnPress>

/** The letters of the answers of a prediction. */
const ANSWERS = [
  ['a', 'first'],
  ['b', 'second'],
  ['c', 'third'],
  ['d', 'fourth'],
] as const

/** The command line to copy: of the line pane the line that ran, else the line of the task; undefined without one. */
function lineOf({ pane, lower, outputs, lesson }: LearnState): string | undefined {
  const ran = isOutput(lower) ? outputs[lower]?.line : undefined
  return isOutput(pane) ? ran : (lesson?.lines[0] ?? lesson?.weakLine ?? ran)
}

/** The address that the shown command printed last, such as the one that a client asks to open; undefined without one. */
function addressOf({ lower, outputs }: LearnState): string | undefined {
  const lines = isOutput(lower) ? (outputs[lower]?.lines ?? []) : []
  return lines.flatMap(text => text.match(/https?:\/\/[^\s"'<>]+/g) ?? []).at(-1)
}

/** The text of the pane with the keys. */
function searched({ state, size, signs }: LearnPress): Searched {
  return shownPane(state, state.pane, lessonLayout(state, size, signs), signs)
}

/** The keys of the screen, in the order of the hint line. */
export const LEARN_KEYS: KeyTable<LearnState, LearnPress> = [
  ...row('Lesson', [
    [
      'enter',
      undefined,
      { does: choose },
      ['enter predict it', 9, ({ option }) => option !== undefined],
      predicting,
    ],
    ...ANSWERS.map(
      ([key, answer], at) =>
        [
          key,
          `predict: the ${answer} answer`,
          { does: (on: LearnPress) => predict(on, at) },
          at === 0 ? (['a b c predict', 8] as const) : undefined,
          (state: LearnState) => predicting(state) && at < state.lesson!.options.length,
        ] as const,
    ),
    [
      'enter',
      'choose, go on, type a line',
      { does: goOn },
      ['enter read on', 9, ({ more }) => more === true],
      waits,
    ],
    [
      '',
      undefined,
      {},
      ['enter go on', 9, state => state.more !== true && heldBy(state) === undefined],
      waits,
    ],
    ['enter : o', [': o', 'type a line; tab fills it'], { change: type }, ['enter type a line', 9], doing],
    [': o', undefined, { change: type }, undefined, typeable],
    ['h', 'the next hint', asking('hint'), ['h hint', 9], doing],
    ['s', 'the solution', asking('solution'), ['s solution', 7], doing],
    ['e', 'the events behind the verdict', asking('explain'), ['e events', 6], doing],
    [
      'i',
      'I am stuck: call the teacher',
      { does: ({ offers }) => offers.stuck() },
      ['i am stuck', 8],
      state => doing(state) && state.room?.online === true,
    ],
    [
      'm',
      'go to the lesson of the room',
      { does: ({ state, offers }) => offers.open(state.room!.lesson!, false) },
      ['m to the room', 8],
      state => inLesson(state) && state.room?.lesson !== undefined,
    ],
    [
      'w',
      'run it without the defence',
      { does: runWeak },
      ['w without the defence', 8],
      state => at('end')(state) && state.lesson!.weakLine !== undefined,
    ],
    [
      'x',
      'stop the command that runs',
      { does: ({ offers, state }) => offers.stop(runningPane(state)!) },
      ['x stop', 8],
      state => inLesson(state) && runningPane(state) !== undefined,
    ],
  ]),
  ...row('Lesson', [
    ['', undefined, {}, ['esc course', 5], typeable],
    [
      'y',
      ['y u', 'copy the line, the address'],
      { does: on => copyLine(on, lineOf(on.state)!) },
      ['y copy', 3],
      state => inLesson(state) && !predicting(state) && lineOf(state) !== undefined,
    ],
    [
      'u',
      undefined,
      { does: on => copyLine(on, addressOf(on.state)!) },
      ['u copy address', 3, ({ pane }) => isOutput(pane)],
      state => inLesson(state) && !predicting(state) && addressOf(state) !== undefined,
    ],
  ]),
  ...row('Course', [
    ['enter', 'start, go on, or read again', { does: opening(false) }, ['enter open', 9], inCourse],
    ['r', 'start the lesson again', { does: opening(true) }, ['r again', 5], inCourse],
    [
      'v',
      'the review that is due',
      { does: ({ offers }) => offers.review() },
      ['v review', 8],
      state => inCourse(state) && state.course.due.length > 0,
    ],
    [
      '/',
      'filter: words of a lesson',
      { change: state => ({ ...state, filtering: { before: state.filter ?? '' } }) },
      ['/ filter', 6],
      inCourse,
    ],
  ]),
  ...paneKeys<Pane, LearnState, LearnPress>({
    panes: PANES,
    shown: openPanes,
    to: toPane,
    keep: 4,
    help: ['1 … 6', 'go to that pane, which grows'],
    when: split,
  }),
  ...moveKeys<LearnState, LearnPress>(move, {
    hint: ['j k scroll', 6, typeable],
    otherHint: ['j k lessons', 3, inCourse],
  }),
  ...searchKeys<LearnState, LearnPorts>(searched, inLesson),
  ...exitKeys<LearnState, LearnPress>(
    back,
    ({ view, lesson, search, filter }) =>
      view === 'course' ? Boolean(filter) || lesson !== undefined : search !== undefined,
    'back, to the course',
  ),
]

/** One thing back: the search, the filter, the other view. */
function back(state: LearnState): LearnState {
  const { view, lesson, search, filter } = state
  if (view === 'lesson') return search ? without(state, 'search') : toView(state, 'course')
  if (filter) return filtered(state, '')
  return lesson === undefined ? state : toView(state, 'lesson')
}

/** Carries out a key press while the filter of the course is typed. Returns false when it is not. */
function pressInCourse(on: LearnPress): boolean {
  const { filter = '', filtering } = on.state
  if (filtering === undefined) return false
  const set = (text: string, done: boolean) =>
    on.store.update(now => filtered(done ? without(now, 'filtering') : now, text))
  const go = (by: number) => () => on.store.update(state => moved(state, by))
  pressInFilterLine(on, filter, filtering.before, set, { down: go(1), up: go(-1) })
  return true
}

/** The keys of the screen, and what is typed in front. */
export const learnKeys: ScreenKeys<LearnState, LearnPorts> = {
  keys: LEARN_KEYS,
  inFront: on => pressInCourse(on) || pressInSearch(on, searched) || pressInCommand(on),
}
