import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { CapstoneProgress } from '../../../learn/capstones/capstone-progress.js'
import { ClientFailure, type Program } from '../../../learn/capstones/client/client-lab.js'
import { examineClient } from '../../../learn/capstones/client/examine.js'
import { drawFaults, FAULTS, type FaultName, faultSentence } from '../../../learn/capstones/client/faults.js'
import { alarms } from '../../../learn/capstones/quiz.js'
import { changeProgress, withCapstone } from '../../../learn/engine/progress.js'
import { wrap } from '../../../learn/engine/texts.js'
import { UsageError } from '../../../protocol/errors.js'
import { narrate, print, printJson } from '../../output/output.js'
import { EXIT, untilSignal } from '../../program/exit.js'
import type { Context } from '../context.js'
import { begunCapstone, doneLines, quizOf } from './answer.js'

const NAME = 'capstone-client'

/** The program to run: the one that was typed, else the file that the capstone wrote. @throws UsageError */
async function programOf(command: readonly string[], { file }: CapstoneProgress): Promise<Program> {
  if (command.length > 0) return { command, folder: process.cwd() }
  const there = file !== undefined && (await stat(file).catch(() => undefined))?.isFile()
  if (file !== undefined && there) return { command: [process.execPath, file], folder: dirname(file) }
  throw new UsageError(`the client ${file ?? ''} is gone`, [
    'Name another one:  oauth-lab learn check -- node client.mjs',
    `Begin again:       oauth-lab learn start ${NAME} --reset`,
  ])
}

/** The faults of a client, or the reason why it could not be examined. */
type Result = { readonly faults: readonly FaultName[] } | { readonly failed: string }

async function examined(program: Program, signal: AbortSignal): Promise<Result> {
  try {
    return await examineClient(program, signal)
  } catch (error) {
    if (error instanceof ClientFailure) return { failed: error.message }
    throw error
  }
}

function reportDone({ seed, failedChecks }: CapstoneProgress, json: boolean): void {
  const drawn = drawFaults(seed)
  if (json) {
    printJson({ capstone: NAME, done: true, broken: 0, of: FAULTS.length, faults: drawn })
    return
  }
  print(`Done: all ${FAULTS.length} properties hold, after ${failedChecks} checks that did not pass.`)
  print('Its four faults were against these properties. A client …')
  for (const fault of drawn) print(...wrap(faultSentence(fault)))
  print('It stands in your certificate:  oauth-lab learn progress --markdown')
}

/** The number of broken properties, and not which: to find them is the task. */
function reportBroken(result: Result, json: boolean): void {
  if ('failed' in result) {
    if (json) printJson({ capstone: NAME, done: false, why: result.failed })
    else print(...wrap(`Not yet: ${result.failed}`))
    return
  }
  const { length: broken } = result.faults
  if (json) printJson({ capstone: NAME, done: false, broken, of: FAULTS.length })
  else print(`Not yet: ${broken} of ${FAULTS.length} properties ${broken === 1 ? 'does' : 'do'} not hold.`)
}

/** `oauth-lab learn check` in the capstone of the client. @returns 0 when every property holds, 1 while one does not */
export async function checkClient(
  command: readonly string[],
  before: CapstoneProgress,
  { globals, learner }: Context,
): Promise<number> {
  const { json, home } = globals
  const program = await programOf(command, before)
  if (!json) narrate('Runs your client at a lab of its own, as honest people and as an attacker.')
  return untilSignal(async signal => {
    const result = await examined(program, signal)
    const done = 'faults' in result && result.faults.length === 0
    const now: CapstoneProgress = done
      ? { ...before, found: drawFaults(before.seed), doneAt: before.doneAt ?? new Date().toISOString() }
      : { ...before, failedChecks: before.failedChecks + ('faults' in result ? 1 : 0) }
    await changeProgress(home, learner, old => withCapstone(old, NAME, now))
    if (done) reportDone(now, json)
    else reportBroken(result, json)
    return done ? EXIT.done : EXIT.refused
  })
}

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
