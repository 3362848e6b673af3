import type { Lesson, Task } from '../model.js'
import { type CurrentLesson, FRESH_TASK, type Progress, withLesson } from './progress.js'

/** Days after which a lesson that is done is asked again: the first, the second and the third time. */
const DAYS = [1, 7, 30] as const

const DAY_MS = 86_400_000

/** A lesson that is due for a review. */
export interface Due {
  readonly lesson: Lesson
  readonly task: Task
  /** When it became due, in milliseconds since the epoch. */
  readonly since: number
}

/**
 * The lessons that are due for a review, the longest due first. Each review asks another task of the lesson.
 * @param now milliseconds since the epoch
 */
export function dueReviews(lessons: readonly Lesson[], progress: Progress, now: number): Due[] {
  return lessons
    .flatMap(lesson => {
      const record = progress.lessons[lesson.name]
      if (record?.doneAt === undefined) return []
      const times = record.reviews.length
      const days = DAYS[times]
      const task = lesson.tasks[times % lesson.tasks.length]
      if (days === undefined || task === undefined) return []
      // A late review moves the next one: the days between two of them stay.
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

/** When the next review is due, in milliseconds since the epoch; undefined when none will be. */
export function nextReview(lessons: readonly Lesson[], progress: Progress): number | undefined {
  const due = dueReviews(lessons, progress, Number.POSITIVE_INFINITY).map(({ since }) => since)
  return due.length === 0 ? undefined : Math.min(...due)
}

/**
 * The user of a review: another one than in the lesson and in the review before, so that the old line does not fit.
 * @param times reviews that were passed
 */
export function otherUser(lesson: Lesson, users: readonly string[], times: number): string {
  const { user } = lesson.needs
  const others = users.filter(each => each !== user)
  return others[times % others.length] ?? user
}

/** The progress in which a review begins. Earlier answers, and an earlier run of the learner's client, count no more. */
export function withReview(progress: Progress, current: CurrentLesson, { name }: Task): Progress {
  const { capstone: _, current: interrupted, ...others } = progress
  // A review that is begun a second time interrupts what the first one did.
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

/** The text of a task without the lines to type: those are to be remembered. */
export function withoutLines(task: Task): Task {
  return {
    ...task,
    say: task.say
      .filter(line => !line.startsWith('  '))
      .map(line => line.replace(/ Type:$/, '').replace(/:$/, '.')),
  }
}
