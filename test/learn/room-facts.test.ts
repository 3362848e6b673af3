import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { KeptEvent } from '../../src/lab/state/event-file.js'
import { drawnLesson } from '../../src/learn/engine/drawn-lesson.js'
import { letterOf } from '../../src/learn/engine/lesson-lines.js'
import type { LessonProgress, Progress, TaskProgress } from '../../src/learn/engine/progress.js'
import { factsBetween, learnedOf, refusalsIn } from '../../src/learn/engine/room-facts.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import { EVENTS } from '../../src/protocol/event-catalogue.js'
import { readFact } from '../../src/protocol/room/facts.js'
import { forAll } from '../support/for-all.js'

const lessons = await builtInLessons()
const lesson = lessons.find(({ tasks }) => tasks.length > 1)!
const [first, second] = lesson.tasks.map(({ name }) => name) as [string, string]
const NOW = '2026-11-28T10:30:00.000Z'
const at = (minute: number) => `2026-11-28T10:${String(minute).padStart(2, '0')}:00.000Z`

const task = (change: Partial<TaskProgress> = {}): TaskProgress => ({
  hints: 0,
  solution: false,
  answers: [],
  events: [],
  ...change,
})
function progress(change: Partial<LessonProgress> = {}, review?: string): Progress {
  const record = { title: '', startedAt: at(0), tasks: {}, reviews: [], seed: 7, ...change }
  const mark = { generation: 1, offset: 0 }
  const current = { lesson: lesson.name, mark, client: 'demo', user: 'alice', ...(review && { review }) }
  return { version: 1, current, lessons: { [lesson.name]: record } }
}
const nothing: Progress = { version: 1, lessons: {} }
const refusal = (minute: number, rule = 'invalid_grant RFC 7636 §4.6') => ({ at: at(minute), rule })

/** Facts as lines: fact, task, and what it says. */
const told = (...[before, after, known, refusals]: Parameters<typeof factsBetween>) =>
  factsBetween(learnedOf(before, before.at), after, known, refusals, NOW).map(
    ({ at, fact, task, rule, answer }) =>
      [at.slice(14, 16), fact, task, rule, answer].filter(each => each !== undefined).join(' '),
  )

describe('the facts between two states of the progress', () => {
  const predicted = { prediction: 'a' }
  const half = { ...predicted, tasks: { [first]: task({ doneAt: at(9) }) } }
  const inFile = letterOf(lesson.prediction.options.indexOf(drawnLesson(lesson, 7).prediction.options[0]!))

  it.each(
    Object.entries({
      nothing: [progress(), progress(), [], []],
      'a lesson is opened': [nothing, progress(), [], ['00 lesson.opened']],
      'it is predicted, in the order of the file': [
        progress(),
        progress(predicted),
        [],
        [`30 prediction.answered ${inFile}`, `30 task.shown ${first}`],
      ],
      'all of a task at once, in order': [
        nothing,
        progress({ ...predicted, tasks: { [first]: task({ doneAt: at(9), hints: 2, solution: true }) } }),
        [refusal(3), refusal(10)],
        [
          '00 lesson.opened',
          `30 prediction.answered ${inFile}`,
          `30 task.shown ${first}`,
          `30 hint.taken ${first}`,
          `30 hint.taken ${first}`,
          `30 solution.taken ${first}`,
          `03 refused ${first} invalid_grant RFC 7636 §4.6`,
          `09 task.done ${first}`,
          `09 task.shown ${second}`,
          `10 refused ${second} invalid_grant RFC 7636 §4.6`,
        ],
      ],
      'one more hint, and a refusal': [
        progress({ ...half, tasks: { ...half.tasks, [second]: task({ hints: 1 }) } }),
        progress({ ...half, tasks: { ...half.tasks, [second]: task({ hints: 2 }) } }),
        [refusal(12)],
        [`30 hint.taken ${second}`, `12 refused ${second} invalid_grant RFC 7636 §4.6`],
      ],
      'it is predicted once more after the tasks': [
        progress(half),
        progress({ ...half, predictedAgain: 'a' }),
        [],
        [`30 prediction.answered ${inFile}`],
      ],
      'both predictions at once, the task between them': [
        progress(),
        progress({ ...half, predictedAgain: 'a' }),
        [],
        [
          `30 prediction.answered ${inFile}`,
          `30 task.shown ${first}`,
          `09 task.done ${first}`,
          `09 task.shown ${second}`,
          `30 prediction.answered ${inFile}`,
        ],
      ],
      'the lesson is started again': [
        progress(half),
        progress({ startedAt: at(20) }),
        [refusal(21)],
        ['20 lesson.opened'],
      ],
      'a review: it is another question': [
        progress(half),
        progress({ ...half, tasks: { [first]: task({ doneAt: at(9), hints: 1 }) } }, first),
        [refusal(21)],
        [],
      ],
      'a task is done, and its end is still read': [
        progress(predicted),
        { ...progress(half), at: `${lesson.name}/${first}` },
        [],
        [`09 task.done ${first}`],
      ],
      'the next task is shown': [
        { ...progress(half), at: `${lesson.name}/${first}` },
        progress(half),
        [],
        [`30 task.shown ${second}`],
      ],
      'the lesson is forgotten': [progress(half), nothing, [], []],
    } as const),
  )('%s', (_, [before, after, refusals, expected]) => {
    expect(told(before, after, lessons, refusals, NOW)).toEqual(expected)
  })

  it('is of the lessons of the room alone', () => {
    expect(told(nothing, progress(half), [], [refusal(3)], NOW)).toEqual([])
  })
})

describe('a refusal', () => {
  it.each([
    [{ error: 'invalid_grant', rule: 'RFC 7636 §4.6' }, 'invalid_grant RFC 7636 §4.6'],
    [{ error: 'invalid_grant', rule: 'RFC 7636 §4.6, RFC 9700 §2.1.1' }, 'invalid_grant RFC 7636 §4.6'],
    [{ rule: 'RFC 6750 §3.1' }, 'RFC 6750 §3.1'],
    [{ error: 'my password is swordfish', rule: 'swordfish §1' }, 'token.refused'],
    [{ error: 'swordfish', rule: 'RFC 7636 §swordfish' }, 'token.refused'],
  ])('of %j is told as %s', (members, rule) => {
    const event = { type: 'token.refused', at: at(1), lab: 'one', description: 'swordfish', ...members }
    expect(refusalsIn([event])).toEqual([{ at: at(1), rule }])
  })

  it('is one for each request: the event that says most', () => {
    const all = [
      { type: 'password.refused', request: 1, reason: 'credentials' },
      { type: 'token.refused', request: 1, error: 'invalid_grant', rule: 'RFC 6749 §5.2' },
      { type: 'token.refused', request: 2, error: 'invalid_grant' },
      { type: 'login.failed' },
    ].map(each => ({ at: at(1), lab: 'one', ...each }))
    expect(refusalsIn(all).map(({ rule }) => rule)).toEqual([
      'invalid_grant RFC 6749 §5.2',
      'invalid_grant',
      'login.failed',
    ])
  })

  it.each(['token.issued', 'swordfish.refused', 'constructor'])('is none of %s', type => {
    expect(refusalsIn([{ type, at: at(1), lab: 'one' }])).toEqual([])
  })
})

describe('whatever is in progress and events', () => {
  const SECRET = 'swordfish'
  const text = fc.oneof(
    fc.constantFrom('a', 'b', at(3), 'invalid_grant', 'RFC 7636 §4.6', SECRET, `a ${SECRET} §1`, '__proto__'),
    fc.string().map(each => each + SECRET),
  )
  const name = fc.oneof(fc.constantFrom(lesson.name, first, second), text)
  const record = fc.record({
    title: text,
    startedAt: fc.oneof(fc.constantFrom(at(0), at(1), `2026-11-28 (${SECRET})`), text),
    prediction: fc.option(text, { nil: undefined }),
    seed: fc.nat(),
    reviews: fc.array(text),
    tasks: fc.dictionary(
      name,
      fc.record({
        doneAt: fc.option(text, { nil: undefined }),
        hints: fc.nat(),
        solution: fc.boolean(),
        answers: fc.array(text),
        events: fc.constant([]),
      }),
    ),
  })
  const state = fc.record({
    version: fc.constant(1),
    lessons: fc.dictionary(name, record),
    current: fc.record({ lesson: name, client: text, user: text, mark: fc.constant({}) }),
  }) as fc.Arbitrary<unknown> as fc.Arbitrary<Progress>
  const event = fc.record({
    type: fc.oneof(fc.constantFrom(...Object.keys(EVENTS)), text),
    at: text,
    lab: text,
    error: text,
    rule: text,
    description: text,
  }) as fc.Arbitrary<KeptEvent>

  it('each fact is one, and holds no secret', async () => {
    let facts = 0
    await forAll(state, state, fc.array(event), (before, after, events) => {
      for (const fact of factsBetween(learnedOf(before), after, lessons, refusalsIn(events), NOW)) {
        facts++
        expect(readFact({ n: 1, ...fact })).toBeDefined()
        expect(JSON.stringify(fact)).not.toContain(SECRET)
      }
    })
    expect(facts).toBeGreaterThan(50)
  })
})
