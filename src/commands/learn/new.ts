import { UsageError } from '../../errors.js'
import { readProgress } from '../../lessons/engine/progress.js'
import { SKELETONS, skeletonText } from '../../lessons/skeleton/skeletons.js'
import { EXIT } from '../exit.js'
import type { Globals } from '../globals.js'
import { writeNewFile } from '../new-file.js'
import { print, printJson } from '../output.js'
import type { NewFlags } from './flags.js'

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

/** `oauth-lab learn new`: writes the client of the lessons into a new file. */
export async function runNew(flags: NewFlags, globals: Globals): Promise<number> {
  const { language, learner } = flags
  const { current } = await readProgress(globals.home, learner)
  const number = lessonNumber(flags.lesson ?? current?.lesson ?? '1')
  const { file: usual, command } = SKELETONS[language]
  const file = await writeNewFile(flags.output ?? usual, skeletonText(language, number))
  const run = command.map(word => (word === usual ? file : word))
  if (globals.json) printJson({ file, language, command: run })
  else
    print(
      `Wrote ${file}, a client as it is at the start of lesson ${number}.`,
      `It runs by:  ${run.join(' ')}`,
    )
  return EXIT.done
}
