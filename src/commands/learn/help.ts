import type { KeptEvent } from '../../lab/state/event-file.js'
import { findRunningLab } from '../../lab/state/running.js'
import { closingLines, hintLines, solutionLines } from '../../learn/engine/lesson-lines.js'
import { changeProgress, FRESH_TASK, withTask } from '../../learn/engine/progress.js'
import { judgeTask, sessionOf } from '../../learn/engine/session.js'
import { wrap } from '../../learn/engine/texts.js'
import type { LabEvent } from '../../protocol/events.js'
import { defined } from '../../protocol/values.js'
import { formatEvent } from '../../show/render/events/event-line.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { type Context, curlNamesFor, learnContext, namesFor } from './context.js'
import type { LearnFlags } from './flags.js'

const FINISHED = 'This lesson is done. The next one:  oauth-lab learn start'

/** The lines of the next hint, which is counted. */
export async function nextHint(context: Context): Promise<string[]> {
  const { globals, learner, lessons, progress } = context
  const { lesson, task, current, hidden } = sessionOf(lessons, progress)
  if (task === undefined) return [FINISHED]
  const { hints } = progress.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
  await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task.name, { hints: Math.min(hints + 1, 3) }),
  )
  const names = namesFor(current, await findRunningLab(globals.home))
  return hintLines(task, hints, { ...names, ...defined({ hidden }) })
}

/** The lines of the solution, which is counted. */
export async function solutionNow(context: Context): Promise<string[]> {
  const { globals, learner, lessons, progress } = context
  const { lesson, task, current, hidden } = sessionOf(lessons, progress)
  if (task === undefined) return [FINISHED]
  await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task.name, { solution: true }),
  )
  const lab = await findRunningLab(globals.home)
  return solutionLines(
    task,
    { ...namesFor(current, lab), ...defined({ hidden }) },
    curlNamesFor(lab, globals.home),
  )
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
    return [...shown, '', ...closingLines(lesson, record?.prediction, namesFor(session.current, lab))]
  }
  const known = { home: globals.home, lab: namesFor(session.current, lab).lab }
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
