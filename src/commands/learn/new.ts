import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readProgress } from '../../learn/engine/progress.js'
import { SKELETONS, skeletonText } from '../../learn/skeletons.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { print, printJson } from '../output/output.js'
import { writeNewFile } from '../output/screen-offers.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import type { NewFlags } from './context.js'

/** The number of a lesson. @throws UsageError */
function lessonNumber(text: string): number {
  const number = /^\d{1,2}(?:-|$)/.test(text) ? Number.parseInt(text, 10) : Number.NaN
  if (Number.isNaN(number)) {
    throw new UsageError(`--lesson ${JSON.stringify(text)} is not the number of a lesson`, [
      'Write it as --lesson 4',
    ])
  }
  return number
}

/** Writes the example of a lesson into a folder, under a number that is free there. */
async function newLesson(dir: string, { json }: Globals): Promise<number> {
  const { exampleLesson } = await import('../../learn/teacher/example.js')
  try {
    await mkdir(dir, { recursive: true })
  } catch (error) {
    throw new UsageError(`cannot make the folder ${dir}: ${fileProblem(error, NO_FOLDER)}`)
  }
  const taken = (await readdir(dir)).map(name => Number(/^(\d\d)-/.exec(name)?.[1] ?? 0))
  const number = String(Math.max(0, ...taken) + 1).padStart(2, '0')
  const file = join(dir, `${number}-ask-for-less.yaml`)
  await writeFile(file, await exampleLesson(), { flag: 'wx' })
  if (json) printJson({ file })
  else print(`Wrote ${file}. Change it, then prove it:  oauth-lab learn test ${dir}`)
  return EXIT.done
}

/** `oauth-lab learn new [DIR]`: writes a lesson into a folder, or the client of the lessons into a new file. */
export async function runNew(dir: string | undefined, flags: NewFlags, globals: Globals): Promise<number> {
  if (dir !== undefined) return newLesson(dir, globals)
  const { language, learner } = flags
  const { current } = await readProgress(globals.home, learner)
  const number = lessonNumber(flags.lesson ?? current?.lesson ?? '1')
  const { file: usual, command } = SKELETONS[language]
  const file = await writeNewFile(flags.output ?? usual, await skeletonText(language, number))
  const run = command.map(word => (word === usual ? file : word))
  if (globals.json) printJson({ file, language, command: run })
  else
    print(
      `Wrote ${file}, a client as it is at the start of lesson ${number}.`,
      `It runs by:  ${run.join(' ')}`,
    )
  return EXIT.done
}
