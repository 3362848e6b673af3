import { once } from 'node:events'
import { createServer, type Server } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { LISTENERS } from '../../../src/lab/listening/listeners.js'
import { attemptsOf, trialLab } from '../../../src/learn/engine/trial.js'
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

/** The first solution of a lesson is tried at an address that no other lab has, the other attempts beside busy ports. */
const placesOf = (lesson: Lesson) => {
  const [first, ...others] = attemptsOf(lesson)
  return [
    { host: '127.0.0.5', attempts: [first!] },
    { host: undefined, attempts: others },
  ]
}

it.concurrent.each(lessons)('$name is done by its solutions alone', { timeout: 1_200_000 }, async lesson => {
  const problems: string[] = []
  for (const { host, attempts } of placesOf(lesson)) {
    const lab = await trialLab(lesson, launcher, defined({ host }))
    try {
      for (const attempt of attempts) {
        const problem = await lab.attempt(attempt)
        if (problem !== undefined) problems.push(`${attempt.task.name}, ${attempt.name}: ${problem}`)
      }
    } finally {
      await lab.stop()
    }
  }
  expect(problems).toEqual([])
})
