import { resolve } from 'node:path'
import { attemptsOf, trialLab } from '../../learn/engine/trial.js'
import type { Lesson } from '../../learn/model.js'
import { lessonsIn } from '../../learn/teacher/lessons-in.js'
import { UsageError, UserError } from '../../protocol/errors.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { answeredYes } from '../output/confirm.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'

/** The result of one attempt. */
interface Result {
  readonly lesson: string
  readonly task: string
  readonly attempt: string
  readonly ok: boolean
  readonly problem?: string
}

async function* resultsOf(lesson: Lesson, program: string, folder: string): AsyncGenerator<Result> {
  const lab = await trialLab(lesson, program, { lessons: folder })
  try {
    for (const attempt of attemptsOf(lesson)) {
      const problem = await lab.attempt(attempt)
      const about = { lesson: lesson.name, task: attempt.task.name, attempt: attempt.name }
      yield problem === undefined ? { ...about, ok: true } : { ...about, ok: false, problem }
    }
  } finally {
    await lab.stop()
  }
}

/**
 * Shows the lines of the lessons, and asks: they may be a stranger's, and a shell runs them.
 * @throws UsageError without a terminal to ask on; UserError after a no
 */
async function askAbout(lessons: readonly Lesson[]): Promise<void> {
  const attempts = lessons.flatMap(lesson => attemptsOf(lesson))
  for (const { lesson, task, name, lines } of attempts) {
    narrate(`${lesson.name}  ${task.name}: ${name}`)
    for (const line of lines) narrate(`    ${makeSafe(line)}`)
  }
  const otherwise = 'nothing was run'
  const yes = await answeredYes({
    text: 'Run these lines in a shell, as you?',
    otherwise,
    hints: ['Without being asked, as in CI:  --yes'],
  })
  if (!yes) throw new UserError(otherwise, 'refused')
}

/**
 * `oauth-lab learn test DIR`: makes every solution and every near miss of the lessons at labs of their own.
 * @throws UsageError for broken lessons, such as one without near misses
 */
export async function runTest(
  dir: string,
  { yes }: { readonly yes?: true },
  { json }: Globals,
): Promise<number> {
  const program = process.argv[1]
  if (program === undefined || process.platform === 'win32') {
    throw new UsageError('learn test needs a POSIX shell', ['Run it on Linux, on macOS or in WSL'])
  }
  let failed = 0
  let count = 0
  const folder = resolve(dir)
  const lessons = (await lessonsIn(folder)).filter(({ builtIn }) => !builtIn)
  if (yes === undefined) await askAbout(lessons)
  for (const lesson of lessons) {
    for await (const result of resultsOf(lesson, program, folder)) {
      const { ok, task, attempt, problem } = result
      count += 1
      if (!ok) failed += 1
      if (json) printJson(result)
      else
        print(`${ok ? '+' : '-'} ${lesson.name}  ${task}: ${attempt}`, ...(problem ? [`    ${problem}`] : []))
    }
  }
  if (!json)
    print(
      failed === 0
        ? `All ${count} attempts ended as they should.`
        : `${failed} of ${count} attempts did not end as they should.`,
    )
  return failed === 0 ? EXIT.done : EXIT.refused
}
