import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { cleanEnv, jsonLines, run, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

/** The next move after each mistake. */
const MOVES: Readonly<Record<string, RegExp>> = {
  issuer: /iss of the token, letter by letter/,
  audience: /aud of the token with the name/,
  clock: /clocks of both computers/,
  keys: /kid and alg of the token/,
  malformed: /what was sent as the token/,
}

describeWith([rigs], 'what libraries say about wrong tokens', () => {
  const home = temporaryFolder()
  afterAll(() => home.remove())

  it('is explained', async () => {
    const env = cleanEnv(home.path)
    const said = await run(process.execPath, [join(import.meta.dirname, 'library-messages.js')], { env })
    expect([said.code, said.stderr]).toEqual([0, ''])
    const lines = jsonLines(said.stdout) as { library: string; mistake: string; message: string | null }[]
    expect(lines).toHaveLength(3 * (1 + Object.keys(MOVES).length))
    for (const { library, mistake, message } of lines) {
      if (message === null) expect(mistake, library).toBe('right')
      else {
        const { stdout } = await runProgram(['explain', message], { env })
        expect(stdout, `${library}: ${message}`).toMatch(MOVES[mistake]!)
      }
    }
  })
})
