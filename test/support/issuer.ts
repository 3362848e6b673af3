import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from './source-files.js'

/** An authorization server of another project, running. */
export interface OtherIssuer {
  readonly issuer: string
  stop(): Promise<void>
}

/**
 * Starts a program of test/rigs/issuers: it prints its issuer, and ends when its stdin does.
 * @throws Error with its stderr when the program ends before it has printed a line
 */
export async function startIssuer(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<OtherIssuer> {
  const file = join(root, 'test/rigs/issuers', program)
  const child = spawn(process.execPath, [file, ...args], { env, stdio: 'pipe' })
  let problem = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    problem += text
  })
  const ended = once(child, 'exit')
  const [line] = (await Promise.race([
    once(child.stdout, 'data'),
    ended.then(() => Promise.reject(new Error(`${program} ended: ${problem}`))),
  ])) as [Buffer]
  child.stdout.resume()
  return {
    issuer: line.toString().split('\n', 1)[0] ?? '',
    stop: async () => {
      child.stdin.end()
      await ended
    },
  }
}
