import { closingLines, type Names, taskLines } from '../../learn/engine/lesson-lines.js'
import { changeProgress, type Progress } from '../../learn/engine/progress.js'
import { type Judged, judgeTask, type Session, sessionOf, withDone } from '../../learn/engine/session.js'
import { wrap } from '../../learn/engine/texts.js'
import type { ProbeReport, ProbeRun, Task } from '../../learn/model.js'
import { SENTENCES } from '../../learn/probe/sentences.js'
import { type Context, namesFor } from './context.js'

/** The result of judging the task that a learner does now. */
export interface Outcome extends Judged {
  readonly session: Session
  readonly task: Task
  readonly progress: Progress
  readonly names: Names
}

/** Judges a task, and keeps the result when it is done. */
export async function judgeNow(
  context: Context,
  session: Session,
  task: Task,
  lab: { readonly urls: { readonly authorization: string } } | undefined,
): Promise<Outcome> {
  const { globals, learner, progress } = context
  const names = namesFor(session.current, lab)
  const judged = await judgeTask(session, task, progress, { home: globals.home, lab: names.lab })
  const { verdict } = judged
  const at = new Date().toISOString()
  const changed = verdict.done
    ? await changeProgress(globals.home, learner, now =>
        withDone(now, session, task, { verdict, at, since: judged.mark }),
      )
    : progress
  return { ...judged, session, task, progress: changed, names }
}

/** The runs of a probe: expected and received side by side. */
export function runLines({ probe, runs }: ProbeReport): string[] {
  const row = (run: ProbeRun): string[] => {
    const right = run.wrong === undefined
    const ok = right === run.finished
    return [
      `${ok ? '+' : '-'} ${run.wrong ?? 'a right answer'}: ${run.finished ? SENTENCES[probe].finished : 'stopped'}`,
      `    expected  ${run.expected || '(nothing)'}`,
      `    received  ${run.received || '(nothing)'}`,
    ]
  }
  return runs.flatMap(row)
}

/** The lines of a verdict, and of what comes next. */
export function verdictLines(lessons: Context['lessons'], outcome: Outcome): string[] {
  const { verdict, session, task, progress, names, lost } = outcome
  const { lesson } = session
  const { probe } = outcome.facts
  const runs = probe && probe.runs.length > 0 ? [...runLines(probe), ''] : []
  if (!verdict.done) {
    return [
      ...runs,
      ...wrap(`Not yet: ${verdict.why}`, Math.min(names.width ?? 76, 76)),
      ...(lost ? ['Older events are gone from the bounded file. Do the task once more.'] : []),
    ]
  }
  const now = sessionOf(lessons, progress)
  const resumed = now.lesson.name !== lesson.name
  const done = [
    ...runs,
    `Done: task ${lesson.tasks.indexOf(task) + 1} of ${lesson.tasks.length}, ${task.name}.`,
  ]
  if (now.task && !resumed) return [...done, '', ...taskLines(lesson, now.task, names)]
  return [
    ...done,
    '',
    ...closingLines(lesson, progress.lessons[lesson.name]?.prediction, names),
    ...(resumed ? ['', `The lesson ${now.lesson.name} goes on:  oauth-lab learn check`] : []),
  ]
}
