import type { Lesson } from '../model.js'
import { openingLines } from './lesson-lines.js'

/** Before the first thing to do. */
const MAX_LINES = 18
const MAX_COLUMNS = 76

/** The broken rules of a good lesson, one sentence each. */
export function lessonProblems(lesson: Lesson): string[] {
  const problems: string[] = []
  const names = { client: lesson.needs.client, user: lesson.needs.user, lab: 'https://localhost:8443' }
  const opening = openingLines(lesson, names)
  if (!/^\d\d-[a-z0-9]+(?:-[a-z0-9]+)*$/.test(lesson.name)) {
    problems.push(`the name ${lesson.name} is not like 04-state: two digits and lower-case words`)
  }
  if (opening.length > MAX_LINES) {
    problems.push(`${opening.length} lines stand before the first thing to do; at most ${MAX_LINES} are read`)
  }
  const long = opening.find(line => line.length > MAX_COLUMNS)
  if (long !== undefined) problems.push(`a line has more than ${MAX_COLUMNS} characters: ${long}`)
  const { options } = lesson.prediction
  const right = options.filter(each => each.misconception === undefined)
  if (options.length < 2) problems.push('the prediction has fewer than two options')
  if (right.length !== 1) {
    problems.push(
      `${right.length} options of the prediction have no misconception; the right one alone has none`,
    )
  }
  if (lesson.tasks.length === 0) problems.push('there is no task')
  for (const { name, nearMisses, solutions } of lesson.tasks) {
    if (nearMisses.length < 2) {
      problems.push(
        `the task ${name} has ${nearMisses.length} near misses; two at least prove that its check refuses`,
      )
    }
    if (solutions.cli.length === 0) problems.push(`the task ${name} has no solution with oauth-lab`)
  }
  return problems
}
