import { describe, expect, it } from 'vitest'
import { doctorChecks } from '../../src/judge/doctor/names.js'
import { moves } from '../../src/judge/tamper/moves.js'
import { builtInLessons } from '../../src/learn/lesson-list.js'
import { MISCONCEPTIONS, type Misconception } from '../../src/learn/misconceptions.js'
import type { MisconceptionName } from '../../src/learn/model.js'
import { NOT_SHOWN, OPTION_RUNS } from './option-runs.js'

const lessons = await builtInLessons()
const entries = Object.entries(MISCONCEPTIONS) as [MisconceptionName, Misconception][]

/** The misconceptions that the predictions of a lesson answer. */
const answered = (number: number): readonly (string | undefined)[] =>
  lessons
    .filter(({ name }) => Number(name.slice(0, 2)) === number)
    .flatMap(({ prediction }) => prediction.options.map(({ misconception }) => misconception))

describe('misconceptions', () => {
  it('are the eighteen of the course', () => expect(entries).toHaveLength(18))

  it.each(entries)(
    '%s: a belief, and one or two sentences about the truth',
    (_name, { belief, truth, lesson }) => {
      expect(belief).toMatch(/^[A-Z0-9][^\n]*\.$/)
      expect(truth).toMatch(/^[A-Z0-9][^\n]*\.$/)
      expect(lesson).toBeGreaterThanOrEqual(0)
      expect(lesson).toBeLessThanOrEqual(27)
    },
  )

  it.each(entries)('%s is shown by a thing that exists', (_name, { shown }) => {
    // Probes, attacks and weak modes are unions of names, which the compiler holds.
    if (shown.by === 'tamper move') expect(moves.map(({ name }) => name)).toContain(shown.name)
    if (shown.by === 'doctor check') expect(doctorChecks().map(({ name }) => name)).toContain(shown.name)
    if (shown.by === 'task') {
      const [name, task] = shown.name.split(' ')
      const tasks = lessons.find(each => each.name === name)?.tasks ?? []
      expect(tasks.map(each => each.name)).toContain(task)
    }
  })

  it('are taught by the lesson that they name, once it is there', () => {
    const there = new Set(lessons.map(({ name }) => Number(name.slice(0, 2))))
    const untaught = entries.filter(
      ([name, { lesson }]) => there.has(lesson) && !answered(lesson).includes(name),
    )
    expect(untaught.map(([name]) => name)).toEqual([])
  })
})

describe.each(lessons)('each wrong answer of $name', ({ name, prediction, tasks }) => {
  const wrong = prediction.options.filter(({ misconception }) => misconception !== undefined)

  it('has the rule against it, and the right one has none', () => {
    for (const { text, misconception, rule, shown } of prediction.options) {
      if (misconception === undefined) expect([text, rule, shown]).toEqual([text, undefined, undefined])
      else expect(rule, text).toMatch(/§/)
    }
  })

  it.each(wrong)('is shown by a run: $text', ({ text, shown }) => {
    const task = tasks.find(each => each.name === shown)
    const runs = [...OPTION_RUNS, ...NOT_SHOWN].filter(
      ({ lesson, option }) => lesson === Number(name.slice(0, 2)) && text.startsWith(option),
    )
    if (shown === undefined) expect(runs).toHaveLength(1)
    else expect([task?.solutions.cli.length ?? 0, runs]).toEqual([expect.toSatisfy(lines => lines > 0), []])
  })
})

it('every run belongs to an answer', () => {
  const answers = lessons.flatMap(({ name, prediction }) =>
    prediction.options.map(({ text }) => ({ lesson: Number(name.slice(0, 2)), text })),
  )
  for (const { lesson, option } of [...OPTION_RUNS, ...NOT_SHOWN]) {
    expect(answers.filter(each => each.lesson === lesson && each.text.startsWith(option))).toHaveLength(1)
  }
})
