import { describe, expect, it } from 'vitest'
import { drawnLesson } from '../../src/learn/engine/drawn-lesson.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import type { Lesson } from '../../src/learn/model.js'

const lessons = await builtInLessons()
const seeds = Array.from({ length: 20 }, (_, i) => i + 1)
const rightAt = ({ prediction }: Lesson): number =>
  prediction.options.findIndex(each => each.misconception === undefined)
const logsOf = ({ tasks }: Lesson) => tasks.find(({ name }) => name === 'two-logs')

describe('the lesson of one learner', () => {
  it('has the right answer under each letter, and the same one for the same seed', () => {
    for (const lesson of lessons) {
      const places = new Set(seeds.map(seed => rightAt(drawnLesson(lesson, seed))))
      expect([lesson.name, places.size]).toEqual([lesson.name, lesson.prediction.options.length])
      expect(drawnLesson(lesson, 7).prediction).toEqual(drawnLesson(lesson, 7).prediction)
      expect(drawnLesson(lesson, undefined)).toBe(lesson)
    }
  })

  it.each(lessons.filter(lesson => logsOf(lesson) !== undefined))('has drawn logs in $name', lesson => {
    const answers = seeds.map(seed => {
      const task = logsOf(drawnLesson(lesson, seed))!
      const answer = task.solutions.cli[0]!.split(' ').at(-1)!
      const none = { events: [], others: [], withAnonymous: [], before: new Set<never>() }
      const facts = { client: 'course', user: 'alice', lab: '', resource: '', cluster: '', dns: '' }
      const verdict = (...answers: string[]) => task.check(none, { ...facts, answers })
      expect(verdict(answer).done).toBe(true)
      // The sentence about the log of the theft is about that log.
      const other = answer.startsWith('A') ? 'B' : 'A'
      expect(verdict(other)).toMatchObject({ why: expect.stringContaining(`log ${other}`) })
      return answer
    })
    expect(new Set(answers).size).toBeGreaterThan(3)
  })
})
