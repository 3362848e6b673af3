import { UsageError, UserError } from '../../protocol/errors.js'
import { prompt, worded } from './output.js'

/** A question before something is changed. */
export interface Question {
  readonly text: string
  /** The result of a no, such as `nothing was deleted`. */
  readonly otherwise: string
  /** Lines that say what to type where nobody can be asked. */
  readonly hints: readonly string[]
}

/**
 * Asks on the terminal.
 * @returns whether the answer was yes
 * @throws UsageError where nobody can be asked, UserError at Ctrl-C
 */
export async function answeredYes({ text, otherwise, hints }: Question): Promise<boolean> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw new UsageError(`there is no terminal to ask on, so that ${otherwise}`, hints)
  }
  const { createInterface } = await import('node:readline/promises')
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  let answered = false
  try {
    const ended = new Promise<string>(resolve => {
      asking.once('close', () => {
        // Ctrl-D and Ctrl-C leave the cursor behind the question.
        if (!answered) prompt('\n')
        resolve('')
      })
    })
    const interrupted = new Promise<never>((_, reject) => {
      asking.once('SIGINT', () => reject(new UserError(otherwise, 'interrupted')))
    })
    const answer = await Promise.race([asking.question(`${worded(text)} [y/N] `), ended, interrupted])
    answered = true
    return /^y(es)?$/i.test(answer.trim())
  } finally {
    asking.close()
  }
}
