import { describe, expect, it } from 'vitest'
import { placesOf } from '../../src/learn/engine/texts.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import { EVENTS } from '../../src/protocol/event-catalogue.js'
import { read } from '../support/source-files.js'

const lessons = await builtInLessons()
const logs = lessons.flatMap(({ name, tasks }) =>
  tasks.filter(task => task.name === 'two-logs').map(task => ({ name, task })),
)
const members = new Set(
  [...read('docs/reference/events.md').matchAll(/^\| `(\w+)\??:/gm)].map(([, name]) => name),
)

describe('tasks with two logs', () => {
  it('are in the lessons that have an attack', () => {
    const names = logs.map(({ name }) => name.slice(0, 2))
    expect(names).toEqual(
      expect.arrayContaining(['03', '04', '05', '06', '10', '12', '16', '18', '19', '26']),
    )
  })

  it.each(logs)('$name: its lines are events, with members that they have', ({ task }) => {
    const lines = task.say.filter(line => /^[AB]\d /.test(line))
    expect(lines.length).toBeGreaterThan(6)
    for (const line of lines) {
      expect(line.length).toBeLessThanOrEqual(76)
      const [, type = '', ...rest] = line.split(' ')
      expect(Object.keys(EVENTS)).toContain(type)
      for (const member of rest) expect(members).toContain(member.split('=')[0])
    }
  })

  it.each(logs)('$name: comes after the attack that the logs are of', ({ name, task }) => {
    const { tasks } = lessons.find(lesson => lesson.name === name)!
    expect(tasks[tasks.indexOf(task) - 1]?.name).toBe('attack')
  })

  it.each(logs)('$name: every line has an answer of its own', ({ task }) => {
    const facts = { client: 'demo', user: 'alice', ...placesOf() }
    const none = { events: [], others: [], before: new Set<never>(), withAnonymous: [] }
    const names = task.say.flatMap(line => /^([AB]\d) /.exec(line)?.[1] ?? [])
    const verdicts = names.map(answer => task.check(none, { ...facts, answers: [answer] }))
    expect(verdicts.some(verdict => verdict.done)).toBe(true)
    for (const verdict of verdicts) {
      expect(verdict.done || verdict.why).not.toBe('Answer with the name of one line, such as A1.')
    }
  })
})
