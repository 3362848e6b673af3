import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Characters that only a shell understands. */
const SHELL = /[|&;<>`$]/

/** The words of a line, without their quotes; undefined for a quote without its end. */
export function wordsOf(line: string): string[] | undefined {
  const words = [...line.matchAll(/(?:[^\s'"]|'[^']*'|"[^"]*")+|['"]/g)].map(([word]) => word)
  if (words.some(word => word === "'" || word === '"')) return undefined
  return words.map(word => word.replace(/'([^']*)'|"([^"]*)"/g, (_, single, double) => single ?? double))
}

/**
 * Runs a line `oauth-lab …` as the program itself, without a shell, on this terminal.
 * @returns the reason why the line was not run; undefined after a run
 */
export async function runLine(line: string): Promise<string | undefined> {
  if (SHELL.test(line)) return 'Lines with | & ; < > ` $ need a shell: type them in another terminal.'
  const words = wordsOf(line)
  const program = process.argv[1]
  if (words === undefined || program === undefined) return 'A quote has no end.'
  if (words[1] === 'learn') return 'You are in learn already. h gives a hint, s the solution, q ends it.'
  const child = spawn(process.execPath, [program, ...words.slice(1)], { stdio: 'inherit' })
  await once(child, 'exit')
  return undefined
}
