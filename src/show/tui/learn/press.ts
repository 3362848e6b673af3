import { withoutEnd } from '../../../protocol/values.js'
import type { Signs } from '../../render/text/signs.js'
import type { KeyPress } from '../screen/keys.js'
import { erased, typed } from '../screen/line-input.js'
import { createPress, type Distance, type Exits } from '../screen/press.js'
import type { Size } from '../screen/size.js'
import type { Store } from '../screen/store.js'
import { courseRows } from './course-frame.js'
import { lessonLayout } from './frame.js'
import { type Command, commandOf } from './keymap.js'
import type { HandedOver, LearnOffers } from './offers.js'
import { shownPane } from './panes.js'
import { type Action, type LearnState, PANES, type Pane, selectedIndex, showsLower } from './state.js'

/** The parts of the screen that keys act on. */
export interface PressPorts extends Exits {
  readonly store: Store<LearnState, Action>
  readonly offers: LearnOffers
  readonly signs: Signs
  /** Gives the terminal to a command. */
  readonly handOver: (command: HandedOver) => void
}

/** More lines than any text has. */
const ALL = 1_000_000

/** A pasted text as one line: a backslash at the end of a line continues it, as in a shell. */
const joined = (text: string): string => withoutEnd(text.replace(/\\\r?\n[ \t]*/g, ''), '\r\n')

/** The panes that Tab goes through. */
const shownPanes = (state: LearnState): readonly Pane[] => (showsLower(state) ? PANES : ['lesson'])

/** Makes the function that carries out a key press. */
export function createLearnPress(ports: PressPorts): (press: KeyPress, size: Size) => void {
  const { store, offers, signs, handOver, quit, suspend } = ports
  const { dispatch, get } = store

  /** Enter in the command line. A backslash at its end continues it. */
  function submit(text: string): void {
    if (text.endsWith('\\')) {
      dispatch({ type: 'typing', text: text.slice(0, -1) })
      return
    }
    const line = text.trim()
    if (line === '') {
      dispatch({ type: 'stopTyping' })
      return
    }
    dispatch({ type: 'entered', line })
    offers.enter(line)
  }

  function pressInLine({ name, text }: KeyPress, line: string): void {
    const does: Readonly<Record<string, () => void>> = {
      'ctrl-c': () => quit(true),
      'ctrl-z': suspend,
      'ctrl-u': () => dispatch({ type: 'typing', text: '' }),
      enter: () => submit(line),
      esc: () => dispatch({ type: 'stopTyping' }),
      backspace: () =>
        line === '' ? dispatch({ type: 'stopTyping' }) : dispatch({ type: 'typing', text: erased(line) }),
      tab: () => dispatch({ type: 'offer' }),
      up: () => dispatch({ type: 'history', by: -1 }),
      down: () => dispatch({ type: 'history', by: 1 }),
    }
    if (Object.hasOwn(does, name)) does[name]!()
    else if (text !== '') dispatch({ type: 'typing', text: typed(line, joined(text)) })
  }

  /** Gives a key to the command line. Pasted text opens it. */
  function pressInFront(press: KeyPress): boolean {
    const { typing, help, view, page } = get()
    if (typing !== undefined) {
      pressInLine(press, typing.text)
      return true
    }
    const takes = !help && view === 'lesson' && page !== undefined && page.phase !== 'predict'
    if (press.name !== '' || press.text === '' || !takes) return false
    dispatch({ type: 'typing', text: typed('', joined(press.text)) })
    return true
  }

  function choose(at: number): void {
    const { page } = get()
    if (page !== undefined && at < page.options.length) offers.predict(at)
  }

  function move(state: LearnState, size: Size, by: 1 | -1, distance: Distance): void {
    const lines = (rows: number) => by * { line: 1, page: Math.max(1, rows - 1), end: ALL }[distance]
    if (state.view === 'course') {
      dispatch({ type: 'move', by: lines(courseRows(size)) })
      return
    }
    const { option, page, pane } = state
    if (page?.phase === 'predict' && distance === 'line') {
      dispatch({ type: 'option', at: option === undefined ? (by > 0 ? 0 : ALL) : option + by })
      return
    }
    const layout = lessonLayout(state, size, signs)
    const { first, limit } = shownPane(state, pane, layout, signs)
    const rows = pane === 'lesson' ? layout.lesson : layout.lower
    dispatch({ type: 'scroll', from: first, by: lines(rows), limit })
  }

  function nextPane(state: LearnState, by: 1 | -1): void {
    const panes = shownPanes(state)
    const at = (panes.indexOf(state.pane) + by + panes.length) % panes.length
    dispatch({ type: 'pane', pane: panes[at] ?? 'lesson' })
  }

  function weak({ page }: LearnState): void {
    const line = page?.weakLine
    if (line !== undefined) handOver({ line, args: line.split(' ').slice(1), screen: true })
  }

  /** Enter at the end of a task or lesson: the rest of the text first. */
  function goOn(state: LearnState, size: Size): void {
    const layout = lessonLayout(state, size, signs)
    const { first, limit, more } = shownPane(state, 'lesson', layout, signs)
    if (!more) {
      offers.goOn()
      return
    }
    dispatch({ type: 'pane', pane: 'lesson' })
    dispatch({ type: 'scroll', from: first, by: Math.max(1, layout.lesson - 1), limit })
  }

  function ownActions(state: LearnState, key: string, size: Size): Readonly<Record<Command, () => void>> {
    const here = state.course.rows[selectedIndex(state)]
    // The answer is in the text of the lesson, so the keys go there.
    const inText = (ask: () => void) => () => {
      dispatch({ type: 'pane', pane: 'lesson' })
      ask()
    }
    const open = (again: boolean) => () => here && offers.open(here.name, again)
    return {
      choose: () => {
        if (state.option === undefined)
          dispatch({ type: 'notice', text: 'What do you expect? Choose one of the answers by its letter.' })
        else choose(state.option)
      },
      option: () => choose(key.charCodeAt(0) - 97),
      goOn: () => goOn(state, size),
      type: () => dispatch({ type: 'typing', text: key === 'o' ? 'o' : '' }),
      hint: inText(offers.hint),
      solution: inText(offers.solution),
      explain: inText(offers.explain),
      weak: () => weak(state),
      stop: offers.stop,
      course: () => dispatch({ type: 'view', view: 'course' }),
      open: open(false),
      again: open(true),
      review: offers.review,
      nextPane: () => nextPane(state, 1),
      previousPane: () => nextPane(state, -1),
      pane: () => dispatch({ type: 'pane', pane: PANES[Number(key) - 1] ?? 'lesson' }),
    }
  }

  return createPress<LearnState, Command>({
    get,
    commandOf,
    quit,
    suspend,
    clearNotice() {
      if (get().notice !== undefined) dispatch({ type: 'notice', text: '' })
    },
    pressInFront,
    actions: (state, key, size) => ({
      move: (by, distance) => move(state, size, by, distance),
      help: () => dispatch({ type: 'help' }),
      back: () => {
        if (state.help) dispatch({ type: 'help' })
        else if (state.view === 'lesson') dispatch({ type: 'view', view: 'course' })
        else if (state.page !== undefined) dispatch({ type: 'view', view: 'lesson' })
      },
      canGoBack: state.help || (state.view === 'course' && state.page !== undefined),
      own: ownActions(state, key, size),
    }),
  })
}
