import { expect, type TestContext } from 'vitest'
import { type Ended, jsonLines } from '../../support/program.js'
import type { Newcomer, StartedServer } from './newcomer.js'
import type { PagesWorld } from './world.js'

/** A line of a page as a test types it. */
export interface Typed {
  /** The line, with running servers in place of the documented ones. */
  readonly line: string
  /** The lines before it in its block that set a variable of the shell. */
  readonly before: readonly string[]
  /** The comment that the page has behind it. */
  readonly comment: string
  readonly world: PagesWorld
  readonly skip: TestContext['skip']
}

/** How each line is run, and what it promises. */
export type LineTable = Readonly<Record<string, (typed: Typed) => Promise<unknown>>>

/** Checks the exit code and the output of a program. */
export function ended(result: Ended, stdout: RegExp, code = 0): Ended {
  expect(result, result.stderr).toMatchObject({ code, stdout: expect.stringMatching(stdout) })
  return result
}

/** Returns a test that types a line and checks its output; the line must exit with 0. */
export const prints =
  (stdout: RegExp, env: (world: PagesWorld) => Readonly<Record<string, string>> = () => ({})) =>
  async ({ line, before, world }: Typed) =>
    ended(await world.alone.types([...before, line], { env: { ...world.alone.env, ...env(world) } }), stdout)

/** The same as `prints`, with more text at the end of the line. */
export const printsWith = (more: string, stdout: RegExp) => (typed: Typed) =>
  prints(stdout)({ ...typed, line: `${typed.line}${more}` })

/** Runs a flow and returns its outcome. */
export async function flow(who: Newcomer, line: string, code = 0) {
  const { stdout } = ended(await who.types(`oauth-lab flow ${line} --json`), /"outcome"/, code)
  type Outcome = { outcome: string; error?: { error: string }; tokens?: { access_token: string } }
  return jsonLines(stdout).at(-1) as unknown as Outcome
}

/** Runs a flow and returns its access token. */
export const tokenOf = async (who: Newcomer, line: string): Promise<string> =>
  (await flow(who, line)).tokens?.access_token ?? ''

/** The header or the claims of a JWT. */
export function part(jwt: string, which: 'header' | 'claims'): Record<string, unknown> {
  const coded = jwt.split('.')[which === 'header' ? 0 : 1] ?? ''
  return JSON.parse(Buffer.from(coded, 'base64url').toString()) as Record<string, unknown>
}

/** Runs the lab of a line while `use` runs, and stops it. */
export async function meanwhile({ world, line }: Typed, use: () => Promise<unknown>): Promise<StartedServer> {
  const lab = await world.student.starts(line)
  await use()
  expect(await lab.stop()).toMatchObject({ code: 130 })
  return lab
}
