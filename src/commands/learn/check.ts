import { mkdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadLabConfig } from '../../lab/lab-file/config.js'
import { eventMark } from '../../lab/state/event-file.js'
import { findRunningLab } from '../../lab/state/running.js'
import {
  againLines,
  closingLines,
  type Names,
  taskLines,
  taskNumber,
} from '../../learn/engine/lesson-lines.js'
import { needsOf } from '../../learn/engine/needs.js'
import { changeProgress, FRESH_TASK, type Progress, withTask } from '../../learn/engine/progress.js'
import { type Judged, judgeTask, type Session, sessionOf, withDone } from '../../learn/engine/session.js'
import { placesOf, wrap } from '../../learn/engine/texts.js'
import { judgeProbe } from '../../learn/engine/vocabulary.js'
import type { Lesson, ProbeName, ProbeReport, ProbeRun, Task } from '../../learn/model.js'
import { runProbe } from '../../learn/probe/run-probe.js'
import { SENTENCES } from '../../learn/probe/sentences.js'
import { CHECKS, isWritten, SKELETONS, skeletonText } from '../../learn/skeletons.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { defined } from '../../protocol/values.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT, untilSignal } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import {
  type CheckFlags,
  type Context,
  type LearnFlags,
  learnContext,
  namesFor,
  type ShownLab,
  withProgressNow,
} from './context.js'
import { lessonLab } from './lab.js'
import { asksAgain, keepPrediction, predictAgain, predictFirst, predictionIn } from './prediction.js'

/** The longest answer that is kept, in characters. */
const MAX_ANSWER = 200

/** Keeps an answer to the question of the present task. */
export async function keepAnswer(context: Context, answer: string): Promise<Context> {
  if (answer.length > MAX_ANSWER) {
    throw new UsageError(`the answer has more than ${MAX_ANSWER} characters`, ['Answer briefly'])
  }
  const { lesson, task, predicts } = sessionOf(context.lessons, context.progress)
  if (task === undefined || predicts) return context
  const { globals, learner } = context
  const progress = await changeProgress(globals.home, learner, now => {
    const { answers, guesses = 0 } = now.lessons[lesson.name]?.tasks[task.name] ?? FRESH_TASK
    const counted = task.asks ? { guesses: guesses + 1 } : {}
    return withTask(now, lesson.name, task.name, { answers: [...answers, answer], ...counted })
  })
  return { ...context, progress }
}

/** The lines about the lab of the next task, where that is at another stage. */
async function nextLabLines(
  { globals, lessons }: Context,
  { verdict, session, task, progress }: Outcome,
): Promise<readonly string[]> {
  const next = sessionOf(lessons, progress)
  const same = next.lesson.name !== session.lesson.name || next.task?.stage === task.stage
  if (!verdict.done || next.task === undefined || same) return []
  const { lines } = await lessonLab(globals, needsOf(next.lesson, next.task, progress), false)
  return ['', ...lines]
}

/** Judges the present task once, and prints the verdict. */
async function checkOnce(context: Context): Promise<number> {
  const { globals, lessons, progress } = context
  const session = sessionOf(lessons, progress)
  const { lesson, task } = session
  if (task === undefined) {
    if (globals.json) printJson({ lesson: lesson.name, task: null, done: true, why: 'every task is done' })
    else
      print(
        `The lesson ${lesson.name} is done.`,
        asksAgain(context, session) ? predictAgain(lesson) : 'Its explanation:  oauth-lab learn explain',
        'The next lesson:  oauth-lab learn start',
      )
    return EXIT.done
  }
  if (session.predicts) {
    const why = predictFirst(lesson)
    if (globals.json) printJson({ lesson: lesson.name, task: task.name, done: false, why })
    else print(why)
    return EXIT.refused
  }
  const outcome = await judgeNow(context, session, task, await findRunningLab(globals.home))
  const { verdict } = outcome
  if (globals.json) {
    const why = verdict.done ? 'the events show it' : verdict.why
    printJson({ lesson: lesson.name, task: task.name, done: verdict.done, why })
  } else {
    const now = { ...context, progress: outcome.progress }
    const again = asksAgain(now, sessionOf(lessons, now.progress)) ? [predictAgain(lesson)] : []
    print(...verdictLines(context, outcome), ...again, ...(await nextLabLines(context, outcome)))
  }
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
    const { checkCapstone } = await import('./capstone/check-client.js')
    return answer === undefined ? checkCapstone(command, context) : answerCapstone(answer, context)
  }
  const predicts = sessionOf(context.lessons, context.progress).predicts
  if (command.length > 0 && !predicts) {
    return flags.watch
      ? untilSignal(signal => judgeWhenSaved(context, command, signal))
      : judgeProgram(context, command)
  }
  if (flags.watch) {
    return untilSignal(async signal => checkOnce(await waitUntilDone(context, signal)))
  }
  return checkOnce(answer === undefined ? context : await keepAnswer(context, answer))
}

/** Runs the learner's client once, and prints the verdict. */
async function judgeProgram(context: Context, command: readonly string[]): Promise<number> {
  const judged = await checkClient(context, (probe, task) => probeFor(context, { probe, task, command }))
  return judged ?? checkOnce(await probeClient(context, command))
}

/** Runs the learner's client now and after each time that one of its files was saved, until it passes. */
async function judgeWhenSaved(
  first: Context,
  command: readonly string[],
  signal: AbortSignal,
): Promise<number> {
  let context = first
  for (;;) {
    const before = await savedAt(command)
    const code = await judgeProgram(context, command)
    if (code === EXIT.done || before === '') return code
    narrate('Waits until you save your client. Ctrl-C ends.')
    while ((await savedAt(command)) === before) await sleep(PERIOD, undefined, { signal })
    context = await withProgressNow(first)
  }
}

/** The files among the words of a command, each with the time at which it was saved; empty: there is none. */
export async function savedAt(command: readonly string[]): Promise<string> {
  const times = command.map(word =>
    stat(word).then(
      file => (file.isFile() ? `${word} ${file.mtimeMs}` : ''),
      () => '',
    ),
  )
  return (await Promise.all(times)).filter(text => text !== '').join('\n')
}

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
  lab: ShownLab,
): Promise<Outcome> {
  const { globals, learner, progress } = context
  const names = namesFor(session.current, lab)
  const judged = await judgeTask(session, task, progress, {
    home: globals.home,
    places: placesOf(lab?.urls),
    learner,
  })
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
export function verdictLines(
  { lessons, room }: Pick<Context, 'lessons' | 'room'>,
  outcome: Outcome,
): string[] {
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
  const number = taskNumber(lesson, task)
  const what = number === 0 ? 'the review' : `task ${number} of ${lesson.tasks.length}, ${task.name}`
  const done = [...runs, `Done: ${what}.`]
  if (now.task && !resumed) return [...done, '', ...taskLines(lesson, now.task, names)]
  if (!resumed && asksAgain(defined({ room, progress }), now))
    return [...done, '', ...againLines(lesson, names)]
  return [
    ...done,
    '',
    ...closingLines(lesson, progress.lessons[lesson.name], names),
    ...(resumed ? ['', `The lesson ${now.lesson.name} goes on:  oauth-lab learn check`] : []),
  ]
}

/** The name under which the progress keeps the step of the learner's client. */
const CLIENT = 'client'

/** The probe that proves the step of the learner's client in a lesson of the course; undefined where it has no step. */
function clientStep(lesson: Lesson): ProbeName | undefined {
  if (!lesson.builtIn) return undefined
  const number = Number.parseInt(lesson.name, 10)
  if (number === 1) return 'code'
  return Object.values(CHECKS).find(each => each.lesson === number)?.probe
}

/**
 * Writes the client of the course into the folder of the learner, where it is not there yet.
 * @returns lines about the step of the client in this lesson; none where it has no step
 */
export async function clientLines(lesson: Lesson, context: Context): Promise<string[]> {
  if (clientStep(lesson) === undefined) return []
  const { home } = context.globals
  const folder = join(home, 'client')
  const path = join(folder, SKELETONS.javascript.file)
  const text = await skeletonText('javascript', Number.parseInt(lesson.name, 10))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new UsageError(`cannot write ${path}: ${fileProblem(error, NO_FOLDER)}`)
  }
  return [
    ...wrap(
      'This file is a client of your own, begun in lesson 1. If you have time, give it the check of this lesson, and let the lab try it:',
    ),
    `  ${path}`,
    `  oauth-lab learn check -- node ${path.includes(' ') ? `"${path}"` : path}`,
  ]
}

/** The verdict on the step of the learner's client. */
interface StepVerdict {
  readonly lesson: string
  readonly done: boolean
  readonly why: string
  readonly lines: readonly string[]
}

/**
 * Keeps the verdict on the step of the learner's client.
 * @param run runs the client in a probe, and keeps the report under the name of a task
 * @returns undefined where the task itself runs the client, and where the lesson has no step
 */
export async function judgeStep(
  context: Context,
  run: (probe: ProbeName, task: string) => Promise<Context>,
): Promise<StepVerdict | undefined> {
  const { globals, learner, lessons } = context
  const { lesson, task } = sessionOf(lessons, context.progress)
  const probe = clientStep(lesson)
  if (task?.probe !== undefined || probe === undefined) return undefined
  const { progress } = await run(probe, CLIENT)
  const report = progress.lessons[lesson.name]?.tasks[CLIENT]?.probe
  if (report === undefined) return undefined
  const why = judgeProbe(report)
  const done = why === 'passed'
  if (done) {
    const doneAt = new Date().toISOString()
    await changeProgress(globals.home, learner, now => withTask(now, lesson.name, CLIENT, { doneAt }))
  }
  const number = Number.parseInt(lesson.name, 10)
  const help = `The lines of this step:  oauth-lab learn new --lesson ${number + 1} -o step.mjs`
  const end = done
    ? [`Done: your client has the check of lesson ${number}.`]
    : [...wrap(`Not yet: ${why}`), help]
  const lines = [...runLines(report), ...(report.runs.length > 0 ? [''] : []), ...end]
  return { lesson: lesson.name, done, why: done ? 'the runs show it' : why, lines }
}

/** Prints the verdict on the step of the learner's client. @returns 0 when it has the check, 1 while it has not */
export async function checkClient(
  context: Context,
  run: (probe: ProbeName, task: string) => Promise<Context>,
): Promise<number | undefined> {
  const verdict = await judgeStep(context, run)
  if (verdict === undefined) return undefined
  const { lesson, done, why, lines } = verdict
  if (context.globals.json) printJson({ lesson, task: CLIENT, done, why })
  else print(...lines)
  return done ? EXIT.done : EXIT.refused
}

/**
 * Runs the learner's own client against a server that answers rightly and wrongly, and keeps the report.
 * @param say gets a line before each run
 * @throws UsageError where the task has no probe
 */
export async function probeClient(
  context: Context,
  command: readonly string[],
  say: (line: string) => void = narrate,
): Promise<Context> {
  const { lesson, task } = sessionOf(context.lessons, context.progress)
  if (task === undefined) return context
  if (task.probe === undefined) {
    throw new UsageError(`the task ${task.name} of ${lesson.name} runs no client`, [
      'Judge it by the events:  oauth-lab learn check',
    ])
  }
  return probeFor(context, { probe: task.probe, task: task.name, command, say })
}

/** True when a file of a command is a client as this program wrote it for a later lesson. */
async function hasWritten(command: readonly string[], lesson: number): Promise<boolean> {
  for (const word of command) {
    const text = await readFile(word, 'utf8').catch(() => undefined)
    if (text !== undefined && (await isWritten(text, lesson))) return true
  }
  return false
}

/** A probe, and the task whose progress keeps its report. */
interface Wanted {
  readonly probe: ProbeName
  readonly task: string
  readonly command: readonly string[]
  readonly say?: (line: string) => void
}

/** Runs the learner's own client in a probe, and keeps the report. @throws UsageError for unknown names */
export async function probeFor(
  context: Context,
  { probe: name, task, command, say = narrate }: Wanted,
): Promise<Context> {
  const { globals, learner, lessons } = context
  const { lesson, current } = sessionOf(lessons, context.progress)
  const config = await loadLabConfig(globals.config)
  const client = config.clients.find(each => each.client_id === current.client)
  const user = config.users.find(each => each.username === current.user)
  if (client === undefined || user?.password === undefined) {
    throw new UsageError(
      `the lab file has no client ${current.client}, or no user ${current.user} with a password`,
    )
  }
  const { username, password } = user
  const probe = await runProbe(name, {
    command,
    folder: process.cwd(),
    home: globals.home,
    config,
    client,
    user: { username, password },
    begin: (run, of) => {
      if (!globals.json) say(`Runs your client: ${run} of ${of}`)
    },
  })
  const written =
    lesson.builtIn === true &&
    judgeProbe(probe) === 'passed' &&
    (await hasWritten(command, Number.parseInt(lesson.name, 10)))
  if (written && !globals.json)
    say(
      'That file is as oauth-lab learn new writes it, check included: it counts as a solution that was shown.',
    )
  const progress = await changeProgress(globals.home, learner, now =>
    withTask(now, lesson.name, task, written ? { probe, solution: true } : { probe }),
  )
  return { ...context, progress }
}

/** `oauth-lab learn answer TEXT…`: the prediction of the lesson, or the answer to its question. @returns the exit code */
export async function runAnswer(
  words: readonly string[],
  flags: LearnFlags,
  globals: Globals,
): Promise<number> {
  const context = await learnContext(flags, globals)
  const text = words.join(' ')
  if (context.progress.capstone !== undefined) {
    const { answerCapstone } = await import('./capstone/answer.js')
    return answerCapstone(text, context)
  }
  const session = sessionOf(context.lessons, context.progress)
  const letter = predictionIn(session, context, text)
  if (letter === undefined) return checkOnce(await keepAnswer(context, text))
  const { progress } = await keepPrediction(context, session, letter)
  const { lesson, task, current } = session
  if (globals.json) printJson({ lesson: lesson.name, prediction: letter })
  else {
    const names = namesFor(current, await findRunningLab(globals.home))
    if (task === undefined) print(...closingLines(lesson, progress.lessons[lesson.name], names))
    else
      print(
        `You predict ${letter}. The lesson comes back to it at its end.`,
        '',
        ...taskLines(lesson, task, names),
      )
  }
  return EXIT.done
}

/** Milliseconds between two reads of the event file. */
const PERIOD = 200

/** Waits until the present task is done. Narrates what is missing when that changes. Fails when the signal aborts. */
async function waitUntilDone(first: Context, signal: AbortSignal): Promise<Context> {
  const { home } = first.globals
  let said = ''
  let before = ''
  for (;;) {
    const context = await withProgressNow(first)
    const { lessons, progress } = context
    const here = JSON.stringify([await eventMark(home), progress])
    if (here !== before) {
      before = here
      const session = sessionOf(lessons, progress)
      if (session.task === undefined) return context
      if (session.predicts) {
        narrate(predictFirst(session.lesson))
        continue
      }
      const places = placesOf((await findRunningLab(home))?.urls)
      const { learner } = first
      const { verdict } = await judgeTask(session, session.task, progress, { home, places, learner })
      if (verdict.done) return context
      if (verdict.why !== said) narrate(`Not yet: ${verdict.why}`)
      said = verdict.why
    }
    await sleep(PERIOD, undefined, { signal })
  }
}
