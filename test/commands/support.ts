import { afterAll, beforeAll } from 'vitest'
import { cleanEnv, type Ended, runProgram, temporaryFolder } from '../support/program.js'

/** A clean home for the tests of one file, and `oauth-lab` run in it. */
export function programInHome(): {
  home: () => string
  env: (more?: Readonly<Record<string, string>>) => Record<string, string>
  oauthLab: (...args: readonly string[]) => Promise<Ended>
} {
  let folder = { path: '', remove: () => {} }
  beforeAll(() => {
    folder = temporaryFolder()
  })
  afterAll(() => folder.remove())
  const env = (more = {}) => cleanEnv(folder.path, more)
  return { home: () => folder.path, env, oauthLab: (...args) => runProgram(args, { env: env() }) }
}
