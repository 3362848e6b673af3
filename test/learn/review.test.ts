import { describe, expect, it } from 'vitest'
import { certificate } from '../../src/learn/engine/certificate.js'
import { letterOf, withoutLines } from '../../src/learn/engine/lesson-lines.js'
import {
  type LessonProgress,
  type Progress,
  type TaskProgress,
  withLesson,
} from '../../src/learn/engine/progress.js'
import { dueReviews, IDEA, nextReview, otherUser, withReview } from '../../src/learn/engine/review.js'
import { evidenceOf, sessionOf, withDone } from '../../src/learn/engine/session.js'
import { placesOf } from '../../src/learn/engine/texts.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import type { Lesson } from '../../src/learn/model.js'

const lessons = await builtInLessons()
const named = (name: string): Lesson => lessons.find(each => each.name === name)!
const state = named('04-state')

const DAY = 86_400_000
const DONE = Date.parse('2026-01-01T10:00:00.000Z')
const iso = (ms: number): string => new Date(ms).toISOString()

const TASK: TaskProgress = {
  doneAt: iso(DONE),
  hints: 0,
  solution: false,
  answers: ['b'],
  events: [],
  probe: { probe: 'state', runs: [] },
}

/** The progress of somebody who did one lesson. @param reviews days after its end on which reviews were passed */
function doneWith(reviews: readonly number[], lesson = state): Progress {
  const done: LessonProgress = {
    title: lesson.title,
    startedAt: iso(DONE),
    doneAt: iso(DONE),
    tasks: Object.fromEntries(lesson.tasks.map(({ name }) => [name, TASK])),
    reviews: reviews.map(day => iso(DONE + day * DAY)),
  }
  return { version: 1, lessons: { [lesson.name]: done } }
}

const mark = { generation: 1, offset: 7 }
const CURRENT = { lesson: state.name, mark, client: 'demo', user: 'bob' }

describe('a review', () => {
  it.each<[reviews: readonly number[], due: number | undefined]>([
    [[], 1],
    [[1], 7],
    [[1, 7], 30],
    [[1, 7, 30], undefined],
    // After a late one, the pause to the next one is as long as ever.
    [[20], 26],
    [[20, 27], 50],
  ])('after reviews on the days %j comes on day %s', (reviews, due) => {
    const progress = doneWith(reviews)
    expect(nextReview(lessons, progress)).toBe(due === undefined ? undefined : DONE + due * DAY)
    if (due === undefined) return
    expect(dueReviews(lessons, progress, DONE + due * DAY - 1)).toEqual([])
    expect(dueReviews(lessons, progress, DONE + due * DAY)).toHaveLength(1)
  })

  it('asks another task each time, for another user, without the lines', () => {
    const asked = [[], [1], [1, 7]].map(
      reviews => dueReviews(lessons, doneWith(reviews), DONE + 99 * DAY)[0]?.task,
    )
    expect(asked[0]).not.toBe(asked[1])
    const users = ['alice', 'bob', 'carol']
    expect([0, 1, 2].map(times => otherUser(state, users, times))).toEqual(['bob', 'carol', 'bob'])
    expect(otherUser(state, ['alice'], 0)).toBe('alice')
    for (const { say } of lessons.flatMap(({ tasks }) => tasks.map(withoutLines))) {
      expect(say.filter(line => line.startsWith('  ') || line.endsWith(':'))).toEqual([])
    }
  })

  it('asks for the idea of a missed prediction, in other words each time', () => {
    const wrong = letterOf(state.prediction.options.findIndex(each => each.misconception === 'state-is-pkce'))
    const missed = (reviews: readonly number[]): Progress => {
      const progress = doneWith(reviews)
      return withLesson(progress, state.name, old => ({ ...old, prediction: wrong }))
    }
    const asked = [[], [1], [1, 7]].map(
      reviews => dueReviews(lessons, missed(reviews), DONE + 99 * DAY)[0]!.task,
    )
    expect(asked.map(({ name }) => name)).toEqual([IDEA, IDEA, state.tasks[2]!.name])
    expect(asked[0]!.say[0]).toContain('State stops a thief who has the code')
    expect(asked[0]!.say.slice(1, -1).sort()).not.toEqual(asked[1]!.say.slice(1, -1).sort())
    for (const [i, task] of asked.slice(0, 2).entries()) {
      const text = `${state.prediction.question} ${state.prediction.options.map(option => option.text).join(' ')}`
      for (const sentence of task.say.slice(1, -1)) expect(text).not.toContain(sentence.slice(3))
      const current = { ...CURRENT, review: IDEA }
      const session = sessionOf(lessons, { ...missed(i === 0 ? [] : [1]), current })
      expect(session.task?.say).toEqual(task.say)
      const right = task.solutions.cli[0]!.at(-1)!
      const facts = { client: 'course', user: 'bob', ...placesOf() }
      const verdict = (answer: string) =>
        task.check(evidenceOf([], { clients: [], user: '' }), { ...facts, answers: [answer] })
      expect(['a', 'b', 'c'].filter(letter => verdict(letter).done)).toEqual([right])
    }
  })

  it('counts no answer and no run of a client from before', () => {
    const task = state.tasks.find(({ probe }) => probe !== undefined)!
    const progress = withReview(doneWith([]), { ...CURRENT, review: task.name }, task)
    const asked = progress.lessons[state.name]?.tasks[task.name]
    expect([asked?.probe, asked?.answers, asked?.doneAt]).toEqual([undefined, [], iso(DONE)])
    expect(sessionOf(lessons, progress).task).toBe(task)
  })

  it('goes back to the lesson that it interrupted, and stands in the certificate', () => {
    const begun = { lesson: '05-pkce', mark, client: 'demo', user: 'alice' }
    const [task] = state.tasks
    const open = doneWith([])
    const interrupted = { ...open, current: begun, capstone: 'capstone-log' as const }
    const progress = withReview(interrupted, { ...CURRENT, review: task!.name }, task!)
    expect([progress.capstone, progress.current?.before]).toEqual([undefined, begun])
    const shown = { verdict: { done: true, events: [] }, at: iso(DONE + DAY), since: mark } as const
    const passed = withDone(progress, sessionOf(lessons, progress), task!, shown)
    expect(passed.current).toEqual(begun)
    expect(passed.lessons[state.name]?.reviews).toEqual([iso(DONE + DAY)])
    expect(certificate(lessons, passed).join('\n')).toContain(`shown: ${iso(DONE + DAY)}`)
  })

  it('that is begun twice forgets neither the lesson before it nor itself', () => {
    const begun = { lesson: '05-pkce', mark, client: 'demo', user: 'alice' }
    const [task] = state.tasks
    const first = withReview({ ...doneWith([]), current: begun }, { ...CURRENT, review: task!.name }, task!)
    const again = withReview(first, { ...CURRENT, review: task!.name }, task!)
    expect(again.current).toEqual({ ...CURRENT, review: task!.name, before: begun })
  })
})
