import { alarms } from '../../../learn/capstones/quiz.js'
import { UsageError } from '../../../protocol/errors.js'
import { print, printJson } from '../../output/output.js'
import { EXIT } from '../../program/exit.js'
import type { Context } from '../context.js'
import { doneLines } from './answer.js'
import { begunCapstone, quizOf } from './begun.js'

/** `oauth-lab learn check` in a capstone. @returns 0 when it is done, 1 while it is not */
export async function checkCapstone(command: readonly string[], context: Context): Promise<number> {
  const { name, progress } = begunCapstone(context)
  if (name === 'capstone-client') {
    const { checkClient } = await import('./check-client.js')
    return checkClient(command, progress, context)
  }
  if (command.length > 0) throw new UsageError(`${name} runs no client`, ['Leave the command out'])
  const { json } = context.globals
  const { quiz } = await quizOf(name, progress)
  const { length: found } = progress.found
  const done = progress.doneAt !== undefined
  if (json) {
    const counts = { found, of: quiz.length, false_alarms: progress.falseAlarms.length }
    printJson({ capstone: name, done, ...counts })
  } else if (done) print(...(await doneLines(name, progress)))
  else {
    print(`Not yet: ${found} of ${quiz.length} found, ${alarms(progress)}.`)
    print('Answer:  oauth-lab learn answer TEXT')
  }
  return done ? EXIT.done : EXIT.refused
}
