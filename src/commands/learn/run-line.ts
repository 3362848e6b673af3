import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Runs this program with other arguments on this terminal, without a shell, until it ends. */
export async function runProgramHere(args: readonly string[]): Promise<void> {
  const program = process.argv[1]
  if (program === undefined) return
  const child = spawn(process.execPath, [program, ...args], { stdio: 'inherit' })
  await once(child, 'exit')
}
