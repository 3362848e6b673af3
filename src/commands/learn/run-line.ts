import { spawn } from 'node:child_process'
import { once } from 'node:events'

/**
 * Runs this program with other arguments on this terminal, without a shell, until it ends. It shows lines, as this process does.
 * @param aloud true when a screen reader reads them
 */
export async function runProgramHere(args: readonly string[], aloud: boolean): Promise<void> {
  const program = process.argv[1]
  if (program === undefined) return
  const env = { ...process.env, ...(aloud ? { INK_SCREEN_READER: 'true' } : { TERM: 'dumb' }) }
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit', env })
  await once(child, 'exit')
}
