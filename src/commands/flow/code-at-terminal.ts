import { createInterface } from 'node:readline/promises'
import type { AskLogin } from '../../client/login.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'

/**
 * Asks the person at the terminal for one-time codes, and for nothing else; undefined without a terminal. An empty line
 * cancels the login.
 */
export function codeAtTerminal(signal: AbortSignal): AskLogin | undefined {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return undefined
  return async ({ oneTimeCode, message }) => {
    if (!oneTimeCode) return { kind: 'cancel' }
    const terminal = createInterface({ input: process.stdin, output: process.stderr })
    try {
      const why = message === undefined ? '' : `${makeSafe(message)}\n`
      const typed = await terminal.question(`${why}One-time code (empty: cancel)  `, { signal })
      const code = typed.replaceAll(' ', '')
      return code === '' ? { kind: 'cancel' } : { kind: 'code', code }
    } finally {
      terminal.close()
    }
  }
}
