import { type EventMark, readEvents } from '../../lab/state/event-file.js'
import { UsageError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'
import type { Evidence, Facts, Lesson, Task, Verdict } from '../model.js'
import { evidenceOf } from './evidence.js'
import { hiddenOf } from './hidden.js'
import { judge } from './judge.js'
import { type CurrentLesson, FRESH_TASK, type Progress, withLesson, withTask } from './progress.js'

export interface Session {
  readonly lesson: Lesson
  /** Undefined when all tasks are done. */
  readonly task: Task | undefined
  readonly current: CurrentLesson
  /** Missing defences that the lab does not name. */
  readonly hidden?: Facts['hidden']
}

/** The current task. @throws UsageError when no lesson was started, or when it is gone */
export function sessionOf(
  lessons: readonly Lesson[],
  { current, capstone, lessons: done }: Progress,
): Session {
  if (current === undefined && capstone !== undefined) {
    throw new UsageError(`the capstone ${capstone} goes on, and it gives no help`, [
      'See how far it is:  oauth-lab learn check',
      'A lesson instead:   oauth-lab learn start NAME',
    ])
  }
  if (current === undefined) {
    throw new UsageError('no lesson was started', ['Start the next one:  oauth-lab learn start'])
  }
  const lesson = lessons.find(each => each.name === current.lesson)
  if (lesson === undefined) {
    throw new UsageError(`the lesson ${current.lesson} was started, but is not here`, [
      current.folder === undefined
        ? 'Start another one:  oauth-lab learn start'
        : `It was one of  --lessons ${current.folder}`,
    ])
  }
  const tasks = done[lesson.name]?.tasks ?? {}
  const { review } = current
  const task = lesson.tasks.find(({ name }) =>
    review === undefined ? tasks[name]?.doneAt === undefined : name === review,
  )
  return { lesson, task, current, ...defined({ hidden: hiddenOf(lesson, { lessons: done }) }) }
}

/** With the facts and the evidence behind it. */
export interface Judged {
  readonly verdict: Verdict
  readonly evidence: Evidence
  readonly facts: Facts
  /** Events since the start are gone from the event file. */
  readonly lost: boolean
  /** Events were read up to here. */
  readonly mark: EventMark
}

export interface Known {
  readonly home: string
  readonly lab: string
}

/** Judges a task by the events since the start of the lesson. */
export async function judgeTask(
  { lesson, current, hidden }: Session,
  task: Task,
  progress: Progress,
  { home, lab }: Known,
): Promise<Judged> {
  const { events, lost, mark } = await readEvents(home, current.mark)
  const { client, user } = current
  const learner = defined({ clients: task.clients ?? [client], user, newcomers: task.newcomers })
  const evidence = evidenceOf(events, learner)
  const since = current.review === undefined ? progress.lessons[lesson.name]?.since : undefined
  const recent = since && evidenceOf((await readEvents(home, since)).events, learner)
  const { answers, probe } = progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
  const facts: Facts = { client, user, lab, answers, ...defined({ probe, hidden }) }
  return { verdict: judge(task, evidence, facts, recent), evidence, facts, lost, mark }
}

/** The last task ends the lesson. */
export function withDone(
  progress: Progress,
  { lesson }: Session,
  task: Task,
  { verdict, at, since }: { readonly verdict: Verdict; readonly at: string; readonly since: EventMark },
): Progress {
  if (progress.current?.review !== undefined) {
    const { review: _, before, ...current } = progress.current
    const reviewed = withLesson(progress, lesson.name, old => ({ ...old, reviews: [...old.reviews, at] }))
    return { ...reviewed, current: before ?? current }
  }
  const marked = withLesson(progress, lesson.name, old => ({ ...old, since }))
  const changed = withTask(marked, lesson.name, task.name, { doneAt: at, events: verdict.events })
  const tasks = changed.lessons[lesson.name]?.tasks ?? {}
  if (lesson.tasks.some(each => tasks[each.name]?.doneAt === undefined)) return changed
  return withLesson(changed, lesson.name, old => ({ ...old, doneAt: at }))
}
