import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { runHere, type Said } from '../support/in-process.js'
import { cleanEnv, type Ended, type Running, runProgram, temporaryFolder, until } from '../support/program.js'

/** A clean home for the tests of one file, and `oauth-lab` run in it. */
export function programInHome(): {
  home: () => string
  env: (more?: Readonly<Record<string, string>>) => Record<string, string>
  /** Writes a file into the home, and returns its path. */
  written: (name: string, text: string | Uint8Array) => string
  oauthLab: (...args: readonly string[]) => Promise<Ended>
  /** The same in this process. */
  here: (...args: readonly string[]) => Promise<Said>
} {
  let folder = { path: '', remove: () => {} }
  beforeAll(() => {
    folder = temporaryFolder()
  })
  afterAll(() => folder.remove())
  const env = (more = {}) => cleanEnv(folder.path, more)
  return {
    home: () => folder.path,
    env,
    written: (name, text) => {
      const path = join(folder.path, name)
      writeFileSync(path, text)
      return path
    },
    oauthLab: (...args) => runProgram(args, { env: env() }),
    here: (...args) => runHere(args, { env: env() }),
  }
}

/** The end of a command that prints a text on stderr: one that contains it, or matches it. */
export const ends = (code: number, stderr: string | RegExp) => ({
  code,
  stderr: typeof stderr === 'string' ? expect.stringContaining(stderr) : expect.stringMatching(stderr),
})

/** The same for a command that refuses, and prints nothing on stdout. */
export const refused = (stderr: string | RegExp, code = 2) => ({ ...ends(code, stderr), stdout: '' })

/** Programs that run until the test that started them ends. */
export function longRunning() {
  const running: Running[] = []
  async function stopAll(): Promise<void> {
    for (const each of running) each.child.kill()
    await Promise.all(running.splice(0).map(each => each.ended))
  }
  afterEach(stopAll)
  /** Waits until a program has printed a text, a line by default, and returns all that it has printed. */
  function started(program: Running, text = '\n'): Promise<string> {
    running.push(program)
    return until(
      () => (program.stdout().includes(text) ? program.stdout() : undefined),
      () => `not ready: ${program.stderr()}`,
    )
  }
  return { started, stopAll }
}
