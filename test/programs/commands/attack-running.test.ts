import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { longRunning, programInHome } from '../../commands/support.js'
import { FREE_PORTS } from '../../support/free-ports.js'
import { jsonLines, startProgram } from '../../support/program.js'

const { env, home, oauthLab } = programInHome()

const { started, stopAll } = longRunning()

/** Starts `oauth-lab serve` in a process of its own, and returns the address of the lab. */
async function serve(...words: readonly string[]): Promise<string> {
  const served = startProgram(['serve', ...FREE_PORTS, '--json', ...words], { env: env(), limit: 120_000 })
  const [ready] = jsonLines(await started(served))
  return (ready as unknown as { urls: { authorization: string } }).urls.authorization
}

const attack = (...words: readonly string[]) => oauthLab('attack', 'run', ...words)
const folder = () => join(home(), 'lab')

describe('oauth-lab attack run, with a lab of another process', () => {
  it.each([
    ['login-csrf', 'no-state', 'state', ['--client-port', '0']],
    ['code-injection', 'no-nonce', 'code_verifier', ['--client-port', '0']],
    ['refresh-theft', 'no-rotation', 'rotation', []],
    ['algorithm-confusion', 'hs-rs', 'signature', []],
    ['code-replay', 'code-reuse', 'one_use', []],
    ['stolen-code', 'redirect-prefix', 'redirect_uri', []],
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

  it('refuses an address that is no record, and options that contradict each other', async () => {
    const url = await serve('--weak', 'code-reuse')
    for (const [words, message] of [
      [['--server', 'https://login.example'], 'an attack runs at no other address'],
      [['--server', url, '--strict'], 'it is weak (code-reuse)'],
      [['--server', url, '--own-lab'], '--own-lab starts a lab, and --server names a running one'],
    ] as const) {
      const { code, stdout, stderr } = await attack('code-replay', ...words)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(message)
    }
    expect((await attack('code-replay', '--server', url)).code).toBe(0)
  }, 60_000)

  it('does not believe a record whose lab is gone, or one that claims another lab', async () => {
    const url = await serve('--weak', 'code-reuse')
    const [file = ''] = readdirSync(folder()).filter(name => /^lab-\d+\.json$/.test(name))
    const text = readFileSync(join(folder(), file), 'utf8')
    writeFileSync(join(folder(), file), text.replace('"code-reuse"', '"code-reuse", "no-rotation"'))
    const claimed = await attack('refresh-theft')
    expect([claimed.code, claimed.stdout]).toEqual([3, ''])
    expect(claimed.stderr).toContain(
      `the record ${file} says that ${url} is weak (code-reuse, no-rotation), and the server does not say so`,
    )
    await stopAll()

    // Another program has the port, and this process stands for the one of the record.
    const other = createServer().listen(Number(new URL(url).port), 'localhost')
    const stale = `lab-${process.pid}.json`
    writeFileSync(join(folder(), stale), text.replace(/"pid": \d+/, `"pid": ${process.pid}`))
    const gone = await attack('code-replay', '--timeout', '5s')
    other.close()
    expect([gone.code, gone.stdout]).toEqual([3, ''])
    expect(gone.stderr).toContain(`no lab of yours answers at ${url}, as its record ${stale} says`)
    expect(gone.stderr).toContain(`rm '${join(folder(), stale)}'`)
    expect(existsSync(join(folder(), file))).toBe(false)
  }, 60_000)
})
