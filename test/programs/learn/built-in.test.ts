import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LISTENERS } from '../../../src/lab/listening/listeners.js'
import { type Attempt, attemptsOf, type TrialLab, trialLab } from '../../../src/learn/engine/trial.js'
import { builtInLessons } from '../../../src/learn/lesson-list.js'
import type { Lesson } from '../../../src/learn/model.js'
import { lessonProblems } from '../../../src/learn/teacher/load-lessons.js'
import { defined } from '../../../src/protocol/values.js'
import { launcher } from '../../support/program.js'

const lessons = await builtInLessons()

/** The usual ports of a lab, which somebody else has while the lessons run. */
const held: Server[] = []
beforeAll(async () => {
  for (const { port } of Object.values(LISTENERS)) {
    const server = createServer()
    server.listen({ port, host: '127.0.0.1' })
    // A port that is busy already is what this test wants.
    await Promise.race([once(server, 'listening'), once(server, 'error')]).catch(() => {})
    held.push(server)
  }
})
afterAll(() => {
  for (const server of held) server.close()
})

it('have names in the order of the course, and prerequisites that come before', () => {
  const names = lessons.map(({ name }) => name)
  expect(names).toEqual([...names].sort())
  for (const { name, after } of lessons) {
    for (const each of after) expect(names.slice(0, names.indexOf(name)), name).toContain(each)
  }
})

it.each(lessons)('$name breaks no rule of a lesson', lesson => {
  expect(lessonProblems(lesson)).toEqual([])
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

/** The first solution of a lesson by the program alone, which every lesson has. */
const firstSolution = (lesson: Lesson): Attempt =>
  attemptsOf(lesson).find(({ name }) => name === 'solution with oauth-lab')!

describe.each([
  { host: undefined, where: 'beside busy ports', attempts: attemptsOf },
  { host: '127.0.0.5', where: 'at 127.0.0.5', attempts: (lesson: Lesson) => [firstSolution(lesson)] },
])('$where', ({ host, attempts }) => {
  describe.each(lessons.map(lesson => ({ ...lesson, lesson })))('$name', ({ lesson }) => {
    let lab: TrialLab
    beforeAll(async () => {
      lab = await trialLab(lesson, launcher, defined({ host }))
    })
    afterAll(() => lab.stop())

    for (const attempt of attempts(lesson)) {
      const expected = attempt.why === undefined ? 'is done by' : 'is not done by'
      it(`${attempt.task.name} ${expected} ${attempt.name}`, { timeout: 120_000 }, async () => {
        expect(await lab.attempt(attempt)).toBeUndefined()
      })
    }
  })
})
