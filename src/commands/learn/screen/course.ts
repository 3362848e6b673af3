import { progressLines } from '../../../lessons/engine/certificate.js'
import { isDone, nextLesson } from '../../../lessons/engine/find-lesson.js'
import type { Progress } from '../../../lessons/engine/progress.js'
import { dueReviews, nextReview } from '../../../lessons/engine/review.js'
import type { Lesson } from '../../../lessons/model.js'
import { partOf } from '../../../lessons/parts.js'
import type { Course, CourseRow } from '../../../tui/learn/content.js'
import type { Context } from '../context.js'

/** Sentences about a lesson: how far it went, its rule, and its review. */
function aboutOf(lesson: Lesson, progress: Progress, due: readonly string[]): string[] {
  const { name, minutes, tasks, rule } = lesson
  const record = progress.lessons[name]
  const count = `${tasks.length} ${tasks.length === 1 ? 'task' : 'tasks'}, ${minutes} minutes. Rule: ${rule}.`
  if (record === undefined) return [count]
  const [, line = ''] = progressLines([lesson], { ...progress, lessons: { [name]: record } })
  const next = nextReview([lesson], progress)
  const review = due.includes(name)
    ? ['Its review is due: v.']
    : next === undefined
      ? []
      : [`Its review is due on ${new Date(next).toISOString().slice(0, 10)}.`]
  return [count, `${line.slice(name.length + 2)}.`, ...review]
}

/** The course as the screen lists it. @param now milliseconds since the epoch */
export function courseNow({ lessons, course, folder, progress }: Context, now: number): Course {
  const due = dueReviews(lessons, progress, now).map(({ lesson }) => lesson.name)
  const next = nextLesson(course, progress)
  const rows = course.map((lesson): CourseRow => {
    const { name, title, minutes, after } = lesson
    const begun = progress.current?.lesson === name || progress.lessons[name] !== undefined
    return {
      name,
      title,
      minutes,
      part: folder === undefined ? partOf(name) : '',
      mark: isDone(progress, lesson) ? 'done' : begun ? 'begun' : next === lesson ? 'next' : 'open',
      missing: after.filter(each => progress.lessons[each]?.doneAt === undefined),
      about: aboutOf(lesson, progress, due),
    }
  })
  return { rows, due }
}
