import { loadLabConfig } from '../../lab/lab-file/config.js'
import { eventMark, type KeptEvent } from '../../lab/state/event-file.js'
import { wantEmbeddedEvents } from '../../lab/state/lesson-events.js'
import { findRunningLab } from '../../lab/state/running.js'
import {
  closingLines,
  HINTS,
  hintLines,
  reviewLines,
  solutionLines,
} from '../../learn/engine/lesson-lines.js'
import { needsOf } from '../../learn/engine/needs.js'
import {
  type CurrentLesson,
  changeProgress,
  FRESH_TASK,
  readProgress,
  shownHints,
  withTask,
} from '../../learn/engine/progress.js'
import { type Due, dueReviews, nextReview, otherUser, withReview } from '../../learn/engine/review.js'
import { judgeTask, sessionOf } from '../../learn/engine/session.js'
import { placesOf, wrap } from '../../learn/engine/texts.js'
import type { LabEvent } from '../../protocol/events.js'
import { defined } from '../../protocol/values.js'
import { formatEvent } from '../../show/render/events/event-line.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type Context, caFor, type LearnFlags, learnContext, namesFor } from './context.js'
import { lessonLab } from './lab.js'
import { asksAgain, predictAgain, predictFirst } from './prediction.js'

const FINISHED = 'This lesson is done. The next one:  oauth-lab learn start'

/** The lines of the next hint, which is counted. */
export async function nextHint(context: Context): Promise<string[]> {
  const { globals, learner, lessons, progress } = context
  const { lesson, task, current, predicts, hidden } = sessionOf(lessons, progress)
  if (task === undefined) return [FINISHED]
  if (predicts) return [predictFirst(lesson)]
  const { hints, given = 0 } = progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
  await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task.name, { hints: Math.min(hints + 1, HINTS - Math.min(given, HINTS)) }),
  )
  const names = namesFor(current, await findRunningLab(globals.home))
  return hintLines(task, Math.min(hints + given, HINTS - 1), { ...names, ...defined({ hidden }) })
}

/** Keeps a hint that the teacher of the room gives for the present task. It is not counted. @returns its lines; undefined where none is left to give */
export async function givenHint(context: Context): Promise<string[] | undefined> {
  const { globals, learner, lessons, progress } = context
  if (progress.current === undefined) return undefined
  const { lesson, task, current, predicts, hidden } = sessionOf(lessons, progress)
  const record = task && progress.lessons[lesson.name]?.tasks[task.name]
  const shown = shownHints(record)
  if (task === undefined || predicts || shown >= HINTS) return undefined
  await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task.name, { given: (record?.given ?? 0) + 1 }),
  )
  const names = namesFor(current, await findRunningLab(globals.home))
  return hintLines(task, shown, { ...names, ...defined({ hidden }) })
}

/** The lines of the solution, which is counted. */
export async function solutionNow(context: Context): Promise<string[]> {
  const { globals, learner, lessons, progress } = context
  const { lesson, task, current, predicts, hidden } = sessionOf(lessons, progress)
  if (task === undefined) return [FINISHED]
  if (predicts) return [predictFirst(lesson)]
  await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task.name, { solution: true }),
  )
  const lab = await findRunningLab(globals.home)
  return solutionLines(task, { ...namesFor(current, lab), ...defined({ hidden }) }, caFor(lab, globals.home))
}

const eventLines = (events: readonly KeptEvent[], { globals }: Context): string[] =>
  events.map(({ lab: _, ...event }) => `  ${formatEvent(event as LabEvent, { ascii: globals.ascii })}`)

/** The lines of the events behind the verdict on the present task, or of a lesson that is done. */
export async function explainNow(context: Context): Promise<string[]> {
  const { globals, lessons, progress } = context
  const session = sessionOf(lessons, progress)
  const { lesson, task } = session
  const lab = await findRunningLab(globals.home)
  const record = progress.lessons[lesson.name]
  if (task === undefined) {
    const shown = lesson.tasks.flatMap(each => [
      `Task ${each.name} was done. The servers saw:`,
      ...eventLines(record?.tasks[each.name]?.events ?? [], context),
    ])
    if (asksAgain(context, session)) return [...shown, '', predictAgain(lesson)]
    return [...shown, '', ...closingLines(lesson, record, namesFor(session.current, lab))]
  }
  const known = { home: globals.home, places: placesOf(lab?.urls), learner: context.learner }
  const { verdict, evidence } = await judgeTask(session, task, progress, known)
  if (verdict.done)
    return [
      `Task ${task.name} is done; learn check says so too. It is shown by:`,
      ...eventLines(verdict.events, context),
    ]
  const behind = verdict.events.length > 0 ? verdict.events : evidence.events.slice(-8)
  return [
    ...wrap(`Task ${task.name} is not done: ${verdict.why}`),
    behind.length === 0
      ? 'No event of this client and user came since the lesson began.'
      : 'The events behind it:',
    ...eventLines(behind, context),
  ]
}

async function shown(lines: Promise<readonly string[]>, { json }: Globals): Promise<number> {
  if (json) printJson({ lines: await lines })
  else print(...(await lines))
  return EXIT.done
}

/** `oauth-lab learn hint`. */
export const runHint = async (flags: LearnFlags, globals: Globals): Promise<number> =>
  shown(nextHint(await learnContext(flags, globals)), globals)

/** `oauth-lab learn solution`. */
export const runSolution = async (flags: LearnFlags, globals: Globals): Promise<number> =>
  shown(solutionNow(await learnContext(flags, globals)), globals)

/** `oauth-lab learn explain`. */
export const runExplain = async (flags: LearnFlags, globals: Globals): Promise<number> =>
  shown(explainNow(await learnContext(flags, globals)), globals)

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
  const current = await beginReview(due, context)
  const { lesson, task } = sessionOf(lessons, await readProgress(globals.home, context.learner))
  if (task === undefined) return EXIT.done
  const { user } = current
  const lab = await lessonLab(globals, needsOf(lesson, task, progress), false)
  if (json) printJson({ lesson: lesson.name, task: task.name, user })
  else {
    print(...reviewLines(lesson, task, namesFor(current, lab)), '')
    print(...lab.lines, 'Then:  oauth-lab learn check')
  }
  return EXIT.done
}
