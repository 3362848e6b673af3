import { createInterface } from 'node:readline/promises'
import type { Sight } from '../../client/browser.js'

const QUESTION =
  'What does your browser show?  e: an error page   a: another address than the client’s   Enter: something else  '

const sights: Readonly<Record<string, Sight>> = { e: 'error_page', a: 'elsewhere' }

/** The person at the terminal, as a witness of what their browser shows; undefined without a terminal. */
export function witnessAtTerminal(): typeof askWitness | undefined {
  return process.stdin.isTTY && process.stderr.isTTY ? askWitness : undefined
}

/** Asks the person at the terminal what their browser shows. @throws the reason of an aborted signal */
async function askWitness(signal: AbortSignal): Promise<Sight> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await terminal.question(QUESTION, { signal })
    return sights[answer.trim().toLowerCase()] ?? 'unknown'
  } finally {
    terminal.close()
  }
}
