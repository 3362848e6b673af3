import { findRunningLab } from '../../lab/state/running.js'
import { needsOf } from '../../learn/engine/needs.js'
import { changeProgress, FRESH_TASK, withTask } from '../../learn/engine/progress.js'
import { sessionOf } from '../../learn/engine/session.js'
import { UsageError } from '../../protocol/errors.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { untilSignal } from '../program/signals.js'
import { checkClient } from './client-step.js'
import { type Context, learnContext } from './context.js'
import type { CheckFlags } from './flags.js'
import { lessonLab } from './lab.js'
import { probeClient, probeFor } from './probe.js'
import { judgeNow, type Outcome, verdictLines } from './verdict.js'

/** The longest answer that is kept, in characters. */
const MAX_ANSWER = 200

/** Keeps an answer to the question of the present task. */
export async function keepAnswer(context: Context, answer: string): Promise<Context> {
  if (answer.length > MAX_ANSWER) {
    throw new UsageError(`the answer has more than ${MAX_ANSWER} characters`, ['Answer briefly'])
  }
  const { lesson, task } = sessionOf(context.lessons, context.progress)
  if (task === undefined) return context
  const { globals, learner } = context
  const progress = await changeProgress(globals.home, learner, now => {
    const { answers } = now.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
    return withTask(now, lesson.name, task.name, { answers: [...answers, answer] })
  })
  return { ...context, progress }
}

/** The lines about the lab of the next task, where that is at another stage. */
async function nextLabLines(
  { globals, lessons }: Context,
  { verdict, session, task, progress }: Outcome,
): Promise<readonly string[]> {
  const next = sessionOf(lessons, progress)
  const same = next.lesson !== session.lesson || next.task?.stage === task.stage
  if (!verdict.done || next.task === undefined || same) return []
  const { lines } = await lessonLab(globals, needsOf(next.lesson, next.task, progress), false)
  return ['', ...lines]
}

/** Judges the present task once, and prints the verdict. */
export async function checkOnce(context: Context): Promise<number> {
  const { globals, lessons, progress } = context
  const session = sessionOf(lessons, progress)
  const { lesson, task } = session
  if (task === undefined) {
    if (globals.json) printJson({ lesson: lesson.name, task: null, done: true, why: 'every task is done' })
    else
      print(
        `The lesson ${lesson.name} is done.`,
        'Its explanation:  oauth-lab learn explain',
        'The next lesson:  oauth-lab learn start',
      )
    return EXIT.done
  }
  const outcome = await judgeNow(context, session, task, await findRunningLab(globals.home))
  const { verdict } = outcome
  if (globals.json) {
    const why = verdict.done ? 'the events show it' : verdict.why
    printJson({ lesson: lesson.name, task: task.name, done: verdict.done, why })
  } else print(...verdictLines(lessons, outcome), ...(await nextLabLines(context, outcome)))
  return verdict.done ? EXIT.done : EXIT.refused
}

/** `oauth-lab learn check`. @returns 0 when the task is done, 1 while it is not */
export async function runCheck(
  command: readonly string[],
  flags: CheckFlags,
  globals: Globals,
): Promise<number> {
  const context = await learnContext(flags, globals)
  const { answer } = flags
  if (context.progress.capstone !== undefined) {
    const { answerCapstone } = await import('./capstone/answer.js')
    const { checkCapstone } = await import('./capstone/check.js')
    return answer === undefined ? checkCapstone(command, context) : answerCapstone(answer, context)
  }
  if (flags.watch) {
    const { waitUntilDone } = await import('./check-watch.js')
    return untilSignal(async signal => checkOnce(await waitUntilDone(context, signal)))
  }
  if (command.length > 0) {
    const judged = await checkClient(context, (probe, task) => probeFor(context, { probe, task, command }))
    return judged ?? checkOnce(await probeClient(context, command))
  }
  return checkOnce(answer === undefined ? context : await keepAnswer(context, answer))
}
