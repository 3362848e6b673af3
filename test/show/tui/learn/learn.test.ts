import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { signsFor } from '../../../../src/show/render/text/signs.js'
import { plainText } from '../../../../src/show/render/text/spans.js'
import type {
  CommandOutput,
  LessonPage,
  OutputPane,
  RoomNow,
} from '../../../../src/show/tui/learn/content.js'
import { frameOf } from '../../../../src/show/tui/learn/run.js'
import {
  initialState,
  type LearnState,
  moved,
  type Pane,
  toPane,
  typing as typed,
  withLesson,
  withOption,
  withOutput,
  withVerdict,
} from '../../../../src/show/tui/learn/state.js'
import { hostileText } from '../../render/hostile.js'
import { by, set } from '../changes.js'
import { draws, expectFit, sizes } from '../screen/frames.js'
import { paint } from '../screen/paint.js'
import { COURSE, END, EVENTS, HELPED, PASSED, PREDICT, TASK } from './pages.js'

type Change = (state: LearnState) => LearnState

const acted = (...changes: readonly Change[]): LearnState =>
  changes.reduce((state, change) => change(state), initialState(COURSE))

const page = (shown: LessonPage): Change => by(withLesson, shown)

const seen =
  (tried: boolean, done = false): Change =>
  state => {
    const text = done
      ? 'Done. Enter goes on to the next task.'
      : tried
        ? 'The password was wrong, so the service got nothing.'
        : 'The service demo-legacy has not logged in with the password of alice yet.'
    return withVerdict(state, tried ? EVENTS : [], { done, tried, text })
  }

const PRINTED: CommandOutput = {
  line: 'oauth-lab flow password --client demo-legacy --user alice',
  lines: [
    'Uses the running lab https://localhost:8443',
    '1  client  -> authorization server  POST /token                  200      887 B    11 ms  Bearer, 3600 s',
    'granted  alice -> demo-legacy  exp 2026-01-05T15:03:11Z',
  ],
  cut: false,
  running: false,
  code: 0,
}

const printed = (output: CommandOutput): Change => by(withOutput, output, 'output' as OutputPane)

const tried = acted(page(TASK), seen(true), printed(PRINTED))
const typing = typed(acted(page(TASK), seen(false)), 'oauth-lab flow code --client ')
const predicted = withOption(acted(page(PREDICT)), 1)

it('forgets the advice to predict with the prediction, and keeps other notices', () => {
  const notice = 'What do you expect?'
  expect(acted(page(PREDICT), set({ notice }), page(TASK)).notice).toBeUndefined()
  expect(acted(page(TASK), set({ notice }), page(PASSED)).notice).toBe(notice)
})

it('chooses no answer for somebody whom the room asks once more', () => {
  const pages = [page(TASK), page(PASSED), page({ ...PREDICT, place: 'once more' })]
  const again = pages.reduce((state, act) => act(state), predicted)
  expect([predicted.option, again.option]).toEqual([1, undefined])
})

const ROOM: RoomNow = { room: 'Monday', name: 'Dora', online: true, waiting: 0 }

const draw = (state: LearnState, columns: number, rows: number, ascii = false): string =>
  paint(frameOf(state, { columns, rows }, signsFor({ ascii })))

const drawings: Readonly<Record<string, () => string>> = {
  'course-100x30': () => draw(acted(), 100, 30),
  'course-80x24': () => draw(moved(acted(), 2), 80, 24),
  'course-60x20': () => draw(moved(acted(), 2), 60, 20),
  'predict-100x30': () => draw(acted(page(PREDICT)), 100, 30),
  'predict-80x24': () => draw(acted(page(PREDICT)), 80, 24),
  'predict-60x20': () => draw(predicted, 60, 20),
  'task-80x24': () => draw(acted(page(TASK), seen(false)), 80, 24),
  'task-100x30': () => draw(acted(page(TASK), seen(true)), 100, 30),
  'task-120x40': () => draw(acted(page(HELPED), seen(true)), 120, 40),
  'task-60x20': () => draw(acted(page(TASK), seen(true)), 60, 20),
  'typing-80x24': () => draw(typing, 80, 24),
  'output-80x24': () => draw(tried, 80, 24),
  'output-60x20': () => draw(toPane(tried, 'output'), 60, 20),
  'events-80x24': () => draw(toPane(tried, 'servers'), 80, 24),
  'help-given-80x24': () => draw(acted(page(HELPED), seen(true)), 80, 24),
  'passed-80x24': () => draw(acted(page(TASK), seen(true, true), page(PASSED)), 80, 24),
  'end-100x30': () => draw(acted(page(END)), 100, 30),
  'end-80x24': () => draw(acted(page(END)), 80, 24),
  'end-60x20': () => draw(acted(page(END)), 60, 20),
  'weak-lab-80x24': () => {
    const lab = { url: 'https://localhost:8443', weak: ['no-state'] } as const
    return draw(acted(page(TASK), seen(false), set({ lab })), 80, 24)
  },
  'room-said-80x24': () => {
    const said = 'Please look at the step POST /token: who sends the verifier there, and who has seen it?'
    const notice = `The teacher: ${said}`
    return draw(acted(page(TASK), seen(true), set({ room: { ...ROOM, said }, notice })), 80, 24)
  },
  'room-gate-80x24': () => {
    const gate = '12 of 20 have it; the room goes on at 80 %.'
    return draw(acted(page(TASK), seen(true, true), page(PASSED), set({ room: { ...ROOM, gate } })), 80, 24)
  },
  'room-elsewhere-80x24': () => draw(acted(page(END), set({ room: { ...ROOM, lesson: '05-pkce' } })), 80, 24),
  'room-offline-60x20': () => {
    const room = { ...ROOM, name: 'Dora and Tom', online: false, waiting: 3 }
    return draw(acted(page(TASK), seen(false), set({ room })), 60, 20)
  },
  'help-80x24': () => draw(acted(page(TASK), set({ page: 'help' })), 80, 24),
  'ascii-60x20': () => draw(toPane(tried, 'servers'), 60, 20, true),
  'too-small-48x14': () => draw(acted(page(TASK)), 48, 14),
}

describe('the screen of the course', () => {
  draws(drawings)

  it('loses no line of a text: scrolling shows every one', () => {
    const whole = frameOf(acted(page(HELPED)), { columns: 60, rows: 200 }, signsFor({ ascii: false }))
    const wanted = whole.map(plainText).filter(text => /^ {3}oauth-lab|^ (Hint|Solution|With)/.test(text))
    const shown = new Set<string>()
    for (let from = 0; from < 60; from++) {
      const state = acted(page(HELPED), seen(true), set({ scroll: { lesson: from } }))
      for (const each of frameOf(state, { columns: 60, rows: 20 }, signsFor({ ascii: false })))
        shown.add(plainText(each))
    }
    expect(wanted.length).toBeGreaterThan(4)
    for (const text of wanted) expect(shown).toContain(text)
  })

  it.each([60, 70, 80, 100])('says at %i columns that a text goes on below', columns => {
    const long = { ...PRINTED, lines: Array.from({ length: 120 }, (_, i) => `line ${i}`) }
    const helped = { ...HELPED, who: 'client demo-legacy or demo-public, user alice' }
    for (const pane of ['lesson', 'output'] as const) {
      const state = acted(page(helped), printed(long), by(toPane, pane))
      const lines = frameOf(state, { columns, rows: 20 }, signsFor({ ascii: false })).map(plainText)
      const rules = lines.filter(text => /1 Lesson|3 Output/.test(text))
      expect(rules).toHaveLength(2)
      for (const rule of rules) expect(rule).toMatch(/\d+-\d+(?: of |\/)\d+ /)
    }
  })

  it('fits every size with hostile text, and prints no control character', () => {
    fc.assert(
      fc.property(hostileText, sizes, (text, size) => {
        const sections = TASK.sections.map(each => ({
          ...each,
          title: text,
          texts: [text, `  ${text}`, `- ${text}`],
        }))
        const row = { ...COURSE.rows[0]!, name: text, title: text, about: [text], missing: [text] }
        const hostile = { ...TASK, title: text, who: text, place: text, sections }
        const events = EVENTS.map(each => ({ ...each, type: text, says: text, details: text }))
        const verdict = { done: false, tried: true, text }
        const states = [
          initialState({ rows: [row], due: [] }),
          withOption(acted(page({ ...hostile, phase: 'predict', options: [text, text] })), 1),
          acted(page(hostile), set({ events, verdict }), by(toPane, 'servers' as Pane)),
          typed(acted(page(hostile), printed({ ...PRINTED, line: text, lines: [text] })), text),
          acted(page(hostile), set({ notice: text })),
        ]
        for (const state of states) {
          expectFit(frameOf(state, size, signsFor({ ascii: false })), size)
        }
      }),
      { numRuns: 60 },
    )
  })
})
