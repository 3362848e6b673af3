import { WEAK_NAMES } from '../../protocol/rules/weak-modes.js'
import { CAPSTONES } from '../capstones/capstone.js'
import type { CapstoneProgress } from '../capstones/capstone-progress.js'
import { alarms } from '../capstones/quiz.js'
import type { Lesson } from '../model.js'
import { isDone } from './find-lesson.js'
import { answersIn, hiddenOf, judgeAnswers } from './hidden.js'
import { FRESH_TASK, helpTaken, type LessonProgress, type Progress } from './progress.js'

const counted = (count: number, one: string, many = `${one}s`): string[] =>
  count > 0 ? [`${count} ${count === 1 ? one : many}`] : []

/** Also wrong answers, or false alarms where something was to find. */
export function helpUsed(
  lesson: Lesson,
  record: LessonProgress,
  progress: Pick<Progress, 'lessons'>,
): string {
  const hidden = hiddenOf(lesson, progress)
  const { hints, solutions, guesses } = helpTaken(record)
  const parts = [
    ...counted(hints, 'hint'),
    ...counted(solutions, 'solution shown', 'solutions shown'),
    ...(hidden ? [] : counted(guesses, 'wrong answer')),
  ]
  const found = hidden && judgeAnswers(hidden, answersIn(lesson, progress), WEAK_NAMES)
  const help = parts.length === 0 ? ['without help'] : parts
  return [...help, ...(found ? [alarms(found)] : [])].join(', ')
}

/** Wrong answers, or runs of a client. */
const effort = (record: CapstoneProgress): string =>
  record.failedChecks > 0 ? `${record.failedChecks} checks that did not pass` : alarms(record)

/** How many things were found, and with how many false alarms. */
function capstoneLines({ capstones = {} }: Progress): string[] {
  return CAPSTONES.flatMap(({ name }) => {
    const record = capstones[name]
    if (record === undefined) return []
    const when = record.doneAt === undefined ? 'begun' : `done ${record.doneAt.slice(0, 10)}`
    return [`${name}: ${when}, seed ${record.seed}, ${effort(record)}`]
  })
}

/** Those that are done. */
function capstoneSections({ capstones = {} }: Progress): string[] {
  return CAPSTONES.flatMap(({ name, title }) => {
    const record = capstones[name]
    if (record?.doneAt === undefined) return []
    const found = record.found.map(each => `- ${each}`)
    const summary = `Done ${record.doneAt}, without instructions: seed ${record.seed}, ${effort(record)}.`
    return [`## ${title}`, '', summary, '', ...found, '']
  })
}

/** One line a lesson that was begun. */
export function progressLines(lessons: readonly Lesson[], progress: Progress): string[] {
  const done = lessons.filter(lesson => isDone(progress, lesson)).length
  const begun = lessons.flatMap(lesson => {
    const record = progress.lessons[lesson.name]
    if (record === undefined) return []
    const tasks = lesson.tasks.filter(({ name }) => (record.tasks[name] ?? FRESH_TASK).doneAt !== undefined)
    const when = record.doneAt === undefined ? 'begun' : `done ${record.doneAt.slice(0, 10)}`
    return [
      `${lesson.name}: ${tasks.length} of ${lesson.tasks.length} tasks, ${when}, ${helpUsed(lesson, record, progress)}`,
    ]
  })
  return [`${done} of ${lessons.length} lessons done.`, ...begun, ...capstoneLines(progress)]
}

/** A Markdown page: each task with the events that showed it. */
export function certificate(lessons: readonly Lesson[], progress: Progress): string[] {
  const shown = lessons.flatMap(lesson => {
    const record = progress.lessons[lesson.name]
    if (record?.doneAt === undefined) return []
    const tasks = lesson.tasks.map(({ name }) => {
      const { events } = record.tasks[name] ?? FRESH_TASK
      const by = events.map(({ type, at }) => `\`${type}\` ${at}`).join(', ')
      return `- ${name}: ${by || 'by an answer, or by a probe of the learner’s client'}`
    })
    return [
      `## ${lesson.title}`,
      '',
      `Done ${record.doneAt}, ${helpUsed(lesson, record, progress)}. Rule: ${lesson.rule}.`,
      '',
      ...tasks,
      ...(record.reviews.length === 0
        ? []
        : [`- asked again for another user, and shown: ${record.reviews.join(', ')}`]),
      '',
    ]
  })
  const done = lessons.filter(lesson => isDone(progress, lesson)).length
  return [
    '# OAuth 2.0 and OpenID Connect, shown with oauth-lab',
    '',
    `${done} of ${lessons.length} lessons.`,
    '',
    ...shown,
    ...capstoneSections(progress),
  ]
}
