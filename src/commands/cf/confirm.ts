import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import { EXIT, UsageError, UserError } from '../../errors.js'

/**
 * Asks on the terminal and goes on only after a yes.
 * @throws UsageError where nobody can be asked; ClientRefusal for any other answer, UserError at Ctrl-C
 */
export async function confirmed(question: string): Promise<void> {
  if (process.stdin.isTTY !== true || process.stderr.isTTY !== true) {
    throw new UsageError('there is no terminal to ask on, so that nothing was deleted', [
      'Delete without being asked:   --yes',
      'See what it would be:         --dry-run',
    ])
  }
  const { createInterface } = await import('node:readline/promises')
  const asking = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const ended = new Promise<string>(resolve => asking.once('close', () => resolve('')))
    const interrupted = new Promise<never>((_, reject) => {
      asking.once('SIGINT', () => reject(new UserError('nothing was deleted', EXIT.interrupted)))
    })
    const answer = await Promise.race([asking.question(`${question} [y/N] `), ended, interrupted])
    if (!/^y(es)?$/i.test(answer.trim())) throw new ClientRefusal('nothing was deleted')
  } finally {
    asking.close()
  }
}
