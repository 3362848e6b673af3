import { loadLabConfig } from '../../lab/lab-file/config.js'
import { eventMark } from '../../lab/state/event-file.js'
import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import { taskLines } from '../../learn/engine/lesson-lines.js'
import { needsOf } from '../../learn/engine/needs.js'
import { type CurrentLesson, changeProgress } from '../../learn/engine/progress.js'
import {
  type Due,
  dueReviews,
  nextReview,
  otherUser,
  withoutLines,
  withReview,
} from '../../learn/engine/review.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type Context, learnContext, namesFor } from './context.js'
import type { LearnFlags } from './flags.js'
import { lessonLab } from './lab.js'

/** Records that a review begins now, for another user. */
export async function beginReview(
  { lesson, task }: Due,
  { globals, progress, folder, learner }: Context,
): Promise<CurrentLesson> {
  const { home } = globals
  const { users } = await loadLabConfig(globals.config)
  const user = otherUser(
    lesson,
    users.filter(each => each.password !== undefined).map(each => each.username),
    progress.lessons[lesson.name]?.reviews.length ?? 0,
  )
  const current = {
    lesson: lesson.name,
    mark: await eventMark(home),
    client: lesson.needs.client,
    user,
    review: task.name,
    ...(folder !== undefined && { folder }),
  }
  await changeProgress(home, learner, now => withReview(now, current, task))
  await wantEmbeddedEvents(home, true)
  return current
}

/** `oauth-lab learn review`: asks a task of an earlier lesson again, for another user and without its lines. */
export async function runReview(flags: LearnFlags, globals: Globals): Promise<number> {
  const { json } = globals
  const context = await learnContext(flags, globals)
  const { lessons, progress } = context
  const [due] = dueReviews(lessons, progress, Date.now())
  if (due === undefined) {
    const next = nextReview(lessons, progress)
    const when = next === undefined ? undefined : new Date(next).toISOString().slice(0, 10)
    if (json) printJson({ lesson: null, next: when ?? null })
    else
      print(when === undefined ? 'Nothing is due: finish a lesson first.' : `Nothing is due before ${when}.`)
    return EXIT.done
  }
  const { lesson, task } = due
  const current = await beginReview(due, context)
  const { user } = current
  const lab = await lessonLab(globals, needsOf(lesson, task, progress), false)
  if (json) printJson({ lesson: lesson.name, task: task.name, user })
  else {
    const names = namesFor(current, lab)
    print(`Review of ${lesson.name}: ${lesson.title}`, '')
    const asked = withoutLines(task)
    print(...taskLines({ ...lesson, tasks: [asked] }, asked, names))
    print('', ...lab.lines, 'Then:  oauth-lab learn check')
  }
  return EXIT.done
}
