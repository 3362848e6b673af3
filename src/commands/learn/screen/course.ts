import { CAPSTONES, type Capstone } from '../../../learn/capstones/capstone.js'
import { progressLines } from '../../../learn/engine/certificate.js'
import { isDone, nextLesson } from '../../../learn/engine/find-lesson.js'
import type { Progress } from '../../../learn/engine/progress.js'
import { dueReviews, nextReview } from '../../../learn/engine/review.js'
import type { Lesson } from '../../../learn/model.js'
import { partOf } from '../../../learn/parts.js'
import type { Course, CourseRow } from '../../../show/tui/learn/content.js'
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

/** A capstone in the list. */
function capstoneRow({ name, title, minutes, part, after, say }: Capstone, progress: Progress): CourseRow {
  const record = progress.capstones?.[name]
  return {
    name,
    title,
    minutes,
    part: partOf(String(part)),
    mark: record?.doneAt !== undefined ? 'done' : record !== undefined ? 'begun' : 'open',
    missing: after.filter(each => progress.lessons[each]?.doneAt === undefined),
    about: [say[0] ?? '', 'Enter prints the task. Answer it with oauth-lab learn answer.'],
  }
}

/** Puts each capstone behind the lessons of its part. */
function withCapstones(rows: readonly CourseRow[], progress: Progress): CourseRow[] {
  const capstones = CAPSTONES.map(each => ({ at: each.part + 0.5, row: capstoneRow(each, progress) }))
  const lessons = rows.map(row => ({ at: Number.parseInt(row.name, 10), row }))
  return [...lessons, ...capstones].sort((a, b) => a.at - b.at).map(({ row }) => row)
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
  const whole = folder === undefined && course.length === lessons.length
  return { rows: whole ? withCapstones(rows, progress) : rows, due }
}
