import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attemptsOf, type TrialLab, trialLab } from '../../../src/learn/engine/trial.js'
import { builtInLessons } from '../../../src/learn/lesson-list.js'
import { lessonProblems } from '../../../src/learn/teacher/load-lessons.js'
import { launcher } from '../../support/program.js'

const lessons = await builtInLessons()

it('have names in the order of the course, and prerequisites that come before', () => {
  const names = lessons.map(({ name }) => name)
  expect(names).toEqual([...names].sort())
  for (const { name, after } of lessons) {
    for (const each of after) expect(names.slice(0, names.indexOf(name)), name).toContain(each)
  }
})

it('have solutions with oauth-lab that set every variable themselves', () => {
  for (const { name, tasks } of lessons) {
    for (const { name: task, solutions } of tasks) {
      const lines = solutions.cli.join('\n')
      for (const variable of ['LAB', 'CA', 'RESOURCE']) {
        if (lines.includes(`$${variable}`)) expect(lines, `${name} ${task}`).toMatch(`${variable}=`)
      }
    }
  }
})

describe.each(lessons.map(lesson => ({ ...lesson, lesson })))('$name', ({ lesson }) => {
  let lab: TrialLab
  beforeAll(async () => {
    lab = await trialLab(lesson, launcher, { host: '127.0.0.5' })
  })
  afterAll(() => lab.stop())

  it('breaks no rule of a lesson', () => {
    expect(lessonProblems(lesson)).toEqual([])
  })

  for (const attempt of attemptsOf(lesson)) {
    const expected = attempt.why === undefined ? 'is done by' : 'is not done by'
    it(`${attempt.task.name} ${expected} ${attempt.name}`, { timeout: 120_000 }, async () => {
      expect(await lab.attempt(attempt)).toBeUndefined()
    })
  }
})
