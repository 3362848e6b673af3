import { loadLabConfig } from '../../lab/lab-file/config.js'
import { CAPSTONE_NAMES, capstoneNamed } from '../../learn/capstones/capstone.js'
import { findLesson, nextLesson } from '../../learn/engine/find-lesson.js'
import { openingLines, reviewLines, taskLines } from '../../learn/engine/lesson-lines.js'
import { needsOf } from '../../learn/engine/needs.js'
import type { Progress } from '../../learn/engine/progress.js'
import { sessionOf } from '../../learn/engine/session.js'
import type { Lesson } from '../../learn/model.js'
import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { defined } from '../../protocol/values.js'
import { print, printJson } from '../output/output.js'
import { terminalMode } from '../output/output-mode.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { clientLines } from './check.js'
import {
  begin,
  type Context,
  inRoomNow,
  learnContext,
  lessonOfRoom,
  namesFor,
  orBuiltIn,
  type ShownLab,
  type StartFlags,
} from './context.js'
import { type LessonLab, lessonLab } from './lab.js'
import { predictFirst } from './prediction.js'

/** @throws UsageError for a client or user that the lab file does not have */
async function checkNames({ client, user }: StartFlags, { globals }: Context): Promise<void> {
  if (client === undefined && user === undefined) return
  const { clients, users } = await loadLabConfig(globals.config)
  const check = (kind: string, name: string | undefined, names: readonly string[]) => {
    if (name === undefined || names.includes(name)) return
    throw new UsageError(`unknown ${kind} ${JSON.stringify(name)}`, nearestHint(name, names))
  }
  check(
    'client',
    client,
    clients.map(each => each.client_id),
  )
  check(
    'user',
    user,
    users.map(each => each.username),
  )
}

/** Prerequisites that are not done, as one line of advice; empty when all are. */
function before({ after }: Lesson, { progress }: Context): string[] {
  const missing = after.filter(name => progress.lessons[name]?.doneAt === undefined)
  return missing.length === 0 ? [] : [`This lesson builds on ${missing.join(' and ')}.`, '']
}

/** The lines that present a lesson to somebody who types the next commands elsewhere. */
export function startLines(
  lesson: Lesson,
  progress: Progress,
  lab: Pick<LessonLab, 'lines'> & NonNullable<ShownLab>,
): string[] {
  const { lesson: drawn, task, current, predicts } = sessionOf([lesson], progress)
  const names = namesFor(current, lab)
  if (task !== undefined && current.review !== undefined) {
    return [...reviewLines(drawn, task, names), '', ...lab.lines, 'Then:  oauth-lab learn check']
  }
  return [
    ...openingLines(drawn, names),
    '',
    ...(predicts ? [predictFirst(drawn)] : task ? taskLines(drawn, task, names) : []),
    '',
    ...lab.lines,
    'Then:  oauth-lab learn check',
    'Or:    oauth-lab learn hint, oauth-lab learn solution',
  ]
}

/** True when this process waits for success on a terminal. The output is lines in the order of time, also for a screen reader. */
export function watches(
  flags: { readonly watch?: boolean; readonly plain?: true; readonly screenReader?: true },
  { json }: Globals,
): boolean {
  if (json || flags.watch === false || process.stdin.isTTY !== true) return false
  return flags.watch === true || terminalMode({ json, ...defined({ ...flags }) }) !== 'plain'
}

/** True when the course opens on a screen. */
export function opensScreen(
  flags: { readonly watch?: boolean; readonly plain?: true; readonly screenReader?: true },
  { json }: Globals,
): boolean {
  return flags.watch !== false && terminalMode({ json, ...defined({ ...flags }) }) === 'tui'
}

/** Serves the lab of a lesson that hides its weak modes, below the present task, until a signal comes. @returns the exit code */
export async function serveHiddenLesson(lesson: Lesson, context: Context): Promise<number> {
  const { progress } = context
  const { task } = sessionOf([lesson], progress)
  const { weak = [] } = needsOf(lesson, task, progress)
  const { serveHidden } = await import('./capstone/start.js')
  const about = { lesson: lesson.name, task: task?.name }
  const opening = startLines(lesson, progress, { urls: {}, lines: [] })
  return serveHidden({ weak, about, opening }, context)
}

/** Starts a lesson. */
export async function startLesson(lesson: Lesson, flags: StartFlags, context: Context): Promise<number> {
  const { globals } = context
  await checkNames(flags, context)
  if (opensScreen(flags, globals)) {
    const { openCourse } = await import('./screen/open.js')
    return openCourse(context, flags, lesson)
  }
  const progress = await begin(lesson, flags, context)
  if (watches(flags, globals)) {
    print(...before(lesson, context))
    const { watchLesson } = await import('./watch.js')
    return watchLesson({ ...context, progress }, lesson, flags)
  }
  const { task, current } = sessionOf([lesson], progress)
  const needs = needsOf(lesson, task, progress)
  if (needs.hidden) return serveHiddenLesson(lesson, { ...context, progress })
  const lab = await lessonLab(globals, needs, false)
  if (globals.json) {
    const { client, user } = current
    printJson({ lesson: lesson.name, task: task?.name, client, user, lab: lab.urls.authorization })
    return EXIT.done
  }
  const own = await clientLines(lesson, context)
  print(
    ...before(lesson, context),
    ...startLines(lesson, progress, lab),
    ...(own.length > 0 ? ['', ...own] : []),
  )
  return EXIT.done
}

/** `oauth-lab learn start [LESSON]`. @returns the exit code */
export async function runStart(
  name: string | undefined,
  flags: StartFlags,
  globals: Globals,
): Promise<number> {
  const known = await learnContext(flags, globals)
  const context = await orBuiltIn(name === undefined ? await inRoomNow(known) : known, flags, name)
  const capstone = name === undefined || context.folder !== undefined ? undefined : capstoneNamed(name)
  if (capstone !== undefined) {
    const { startCapstone } = await import('./capstone/start.js')
    return startCapstone(capstone, flags, context)
  }
  const lesson =
    name === undefined
      ? (lessonOfRoom(context) ?? nextLesson(context.course, context.progress))
      : findLesson(context.lessons, name)
  if ((flags.seed !== undefined && !lesson?.needs.hidden) || flags.reset) {
    throw new UsageError('--seed and --reset are for capstones, and --seed for lesson 27', [
      `Capstones: ${CAPSTONE_NAMES.join(', ')}`,
    ])
  }
  if (lesson === undefined) {
    print('Every lesson is done. Do one again:  oauth-lab learn start NAME')
    return EXIT.done
  }
  return startLesson(lesson, flags, context)
}
