import type { Lesson, Task } from '../model.js'
import { type CurrentLesson, FRESH_TASK, type Progress, withLesson } from './progress.js'

/** Days until the first, the second and the third review. */
const DAYS = [1, 7, 30] as const

const DAY_MS = 86_400_000

export interface Due {
  readonly lesson: Lesson
  readonly task: Task
  /** Milliseconds since the epoch. */
  readonly since: number
}

/** The longest due first. Each review asks another task. @param now milliseconds since the epoch */
export function dueReviews(lessons: readonly Lesson[], progress: Progress, now: number): Due[] {
  return lessons
    .flatMap(lesson => {
      const record = progress.lessons[lesson.name]
      if (record?.doneAt === undefined) return []
      const times = record.reviews.length
      const days = DAYS[times]
      const task = lesson.tasks[times % lesson.tasks.length]
      if (days === undefined || task === undefined) return []
      // A late review moves the next one.
      const last = record.reviews.at(-1)
      const pause = days - (DAYS[times - 1] ?? 0)
      const since = Math.max(
        Date.parse(record.doneAt) + days * DAY_MS,
        last === undefined ? 0 : Date.parse(last) + pause * DAY_MS,
      )
      return since <= now ? [{ lesson, task, since }] : []
    })
    .sort((a, b) => a.since - b.since)
}

/** Milliseconds since the epoch; undefined when no review will come. */
export function nextReview(lessons: readonly Lesson[], progress: Progress): number | undefined {
  const due = dueReviews(lessons, progress, Number.POSITIVE_INFINITY).map(({ since }) => since)
  return due.length === 0 ? undefined : Math.min(...due)
}

/**
 * Another user than in the lesson and in the review before, so that the old line does not fit.
 * @param times reviews that were passed
 */
export function otherUser(lesson: Lesson, users: readonly string[], times: number): string {
  const { user } = lesson.needs
  const others = users.filter(each => each !== user)
  return others[times % others.length] ?? user
}

/** Earlier answers and runs of the learner's client count no more. */
export function withReview(progress: Progress, current: CurrentLesson, { name }: Task): Progress {
  const { capstone: _, current: interrupted, ...others } = progress
  // A second beginning interrupts what the first one did.
  const begun = interrupted?.review === undefined ? interrupted : interrupted.before
  const goesOn =
    begun !== undefined &&
    begun.folder === current.folder &&
    progress.lessons[begun.lesson]?.doneAt === undefined
  const now = goesOn ? { ...current, before: begun } : current
  return withLesson({ ...others, current: now }, current.lesson, old => {
    const { probe: __, ...task } = old.tasks[name] ?? FRESH_TASK
    return { ...old, tasks: { ...old.tasks, [name]: { ...task, answers: [] } } }
  })
}

/** The lines to type are to be remembered. */
export function withoutLines(task: Task): Task {
  return {
    ...task,
    say: task.say
      .filter(line => !line.startsWith('  '))
      .map(line => line.replace(/ Type:$/, '').replace(/:$/, '.')),
  }
}
