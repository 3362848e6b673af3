import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { changeProgress, withTask } from '../../learn/engine/progress.js'
import { sessionOf } from '../../learn/engine/session.js'
import { wrap } from '../../learn/engine/texts.js'
import type { Lesson, ProbeName } from '../../learn/model.js'
import { judgeProbe } from '../../learn/probe/judge.js'
import { CHECKS } from '../../learn/skeleton/checks.js'
import { SKELETONS, skeletonText } from '../../learn/skeleton/skeletons.js'
import { UsageError } from '../../protocol/errors.js'
import { print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Context } from './context.js'
import { runLines } from './verdict.js'

/** The name under which the progress keeps the step of the learner's client. */
const CLIENT = 'client'

/** The probe that proves the step of the learner's client in a lesson of the course; undefined where it has no step. */
function clientStep(lesson: Lesson, { folder }: Pick<Context, 'folder'>): ProbeName | undefined {
  if (folder !== undefined) return undefined
  const number = Number.parseInt(lesson.name, 10)
  if (number === 1) return 'code'
  return Object.values(CHECKS).find(each => each.lesson === number)?.probe
}

/**
 * Writes the client of the course into the folder of the learner, where it is not there yet.
 * @returns lines about the step of the client in this lesson; none where it has no step
 */
export async function clientLines(lesson: Lesson, context: Context): Promise<string[]> {
  if (clientStep(lesson, context) === undefined) return []
  const { home } = context.globals
  const folder = join(home, 'client')
  const path = join(folder, SKELETONS.javascript.file)
  const text = skeletonText('javascript', Number.parseInt(lesson.name, 10))
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeFile(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'EEXIST') throw new UsageError(`cannot write ${path} (${code})`)
  }
  return [
    ...wrap(
      'This file is a client of your own, begun in lesson 1. If you have time, give it the check of this lesson, and let the lab try it:',
    ),
    `  ${path}`,
    `  oauth-lab learn check -- node ${path.includes(' ') ? `"${path}"` : path}`,
  ]
}

/** Prints and keeps the verdict on the step of the learner's client. @returns 0 when it has the check, 1 while it has not */
export async function checkClient(
  context: Context,
  run: (probe: ProbeName, task: string) => Promise<Context>,
): Promise<number | undefined> {
  const { globals, learner, lessons } = context
  const { lesson, task } = sessionOf(lessons, context.progress)
  const probe = clientStep(lesson, context)
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
  if (globals.json)
    printJson({ lesson: lesson.name, task: CLIENT, done, why: done ? 'the runs show it' : why })
  else {
    const number = Number.parseInt(lesson.name, 10)
    const help = `The lines of this step:  oauth-lab learn new --lesson ${number + 1} -o step.mjs`
    const end = done
      ? [`Done: your client has the check of lesson ${number}.`]
      : [...wrap(`Not yet: ${why}`), help]
    print(...runLines(report), ...(report.runs.length > 0 ? [''] : []), ...end)
  }
  return done ? EXIT.done : EXIT.refused
}
