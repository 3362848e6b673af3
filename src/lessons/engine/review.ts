import type { Lesson, Task } from '../model.js'
import type { Progress } from './progress.js'

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
      const since = Date.parse(record.doneAt) + days * DAY_MS
      return since <= now ? [{ lesson, task, since }] : []
    })
    .sort((a, b) => a.since - b.since)
}

/** When the next review is due, in milliseconds since the epoch; undefined when none will be. */
export function nextReview(lessons: readonly Lesson[], progress: Progress): number | undefined {
  const due = dueReviews(lessons, progress, Number.POSITIVE_INFINITY).map(({ since }) => since)
  return due.length === 0 ? undefined : Math.min(...due)
}

/** The user of a review: another one than in the lesson, so that the old line does not fit. */
export function otherUser(lesson: Lesson, users: readonly string[]): string {
  const { user } = lesson.needs
  const [first] = users.filter(each => each !== user)
  return first ?? user
}

/** The text of a task without the lines to type: those are to be remembered. */
export function withoutLines(task: Task): Task {
  return {
    ...task,
    say: task.say.filter(line => !line.startsWith('  ')).map(line => line.replace(/ Type:$/, '')),
  }
}
