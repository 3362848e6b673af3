import { describe, expect, it } from 'vitest'
import { longRunning, programInHome } from '../../commands/support.js'
import { FREE_PORTS } from '../../support/free-ports.js'
import { jsonLines, startProgram } from '../../support/program.js'

const { env, oauthLab } = programInHome()

const { started, stopAll } = longRunning()

/** Starts `oauth-lab serve` in a process of its own, and returns the address of the lab. */
async function serve(...words: readonly string[]): Promise<string> {
  const served = startProgram(['serve', ...FREE_PORTS, '--json', ...words], { env: env(), limit: 120_000 })
  const [ready] = jsonLines(await started(served))
  return (ready as unknown as { urls: { authorization: string } }).urls.authorization
}

const attack = (...words: readonly string[]) => oauthLab('attack', 'run', ...words)

describe('oauth-lab attack run, with a lab of another process', () => {
  it.each([
    ['login-csrf', 'no-state', 'state', ['--client-port', '0']],
    ['code-replay', 'code-reuse', 'one_use', []],
  ])(
    '%s steals from serve --weak %s, and serve without it defends by %s',
    async (name, mode, check, client) => {
      const weak = await serve('--weak', mode)
      const stolen = await attack(name)
      expect(stolen.stderr.split('\n')[0]).toBe(
        `Uses the running lab ${weak}  (at a lab of its own: --own-lab)`,
      )
      expect(stolen.stderr).toContain('WEAK on purpose')
      expect([stolen.code, stolen.stdout]).toEqual([0, expect.stringMatching(/^stolen {4}/m)])
      await stopAll()

      const strict = await serve(...client)
      const kept = await attack(name, '--strict', '--json')
      expect(kept.stderr.split('\n')[0]).toContain(`Uses the running lab ${strict}`)
      expect(kept.code).toBe(0)
      const last = jsonLines(kept.stdout).at(-1)
      expect(last).toMatchObject({ type: 'outcome', outcome: 'defended', check, weak: [] })
      expect(last?.rule).toMatch(/§/)
    },
    120_000,
  )

  it('starts its own beside a lab that does not fit, and says why; --own-lab starts one in any case', async () => {
    const url = await serve()
    const { code, stderr } = await attack('code-replay')
    expect(code).toBe(0)
    const [first, second] = stderr.split('\n')
    expect(first).toMatch(
      /^Started a lab for this attack: https:\S+ {2}\(at a running lab: oauth-lab serve --weak code-reuse\)$/,
    )
    expect(second).toBe(
      `Your lab ${url} runs too, and is not used: it has every defence. At that lab:   oauth-lab attack run code-replay --strict`,
    )
    const own = await attack('code-replay', '--strict', '--own-lab')
    expect(own.stderr).toMatch(/^Started a lab for this attack: .*\(at a running lab: without --own-lab\)/)
  }, 60_000)
})
