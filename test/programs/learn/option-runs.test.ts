import { expect, it } from 'vitest'
import { trialLab } from '../../../src/learn/engine/trial.js'
import { builtInLessons } from '../../../src/learn/lesson-list.js'
import { readCheck } from '../../../src/learn/teacher/read-check.js'
import { defined } from '../../../src/protocol/values.js'
import { OPTION_RUNS } from '../../learn/option-runs.js'
import { launcher } from '../../support/program.js'

const lessons = await builtInLessons()

it.each(OPTION_RUNS)('$lesson, “$option”, is shown to be wrong', { timeout: 60_000 }, async run => {
  const lesson = lessons.find(({ name }) => Number(name.slice(0, 2)) === run.lesson)!
  const report = (path: unknown, problem: string) => {
    throw new Error(`${JSON.stringify(path)}: ${problem}`)
  }
  const check = readCheck({ value: run.check, path: [], report }, undefined)
  const { stage: _, clients: __, ...task } = { ...lesson.tasks.at(-1)!, check, mistakes: [] }
  const needs = { client: run.client ?? 'course', user: 'alice', ...defined({ stage: run.stage }) }
  const lab = await trialLab({ ...lesson, needs }, launcher)
  try {
    const lines = run.lines.split('\n').map(line => line.trim())
    expect(await lab.attempt({ lesson, task, name: run.option, lines, why: undefined })).toBeUndefined()
  } finally {
    await lab.stop()
  }
})
