import { describe, expect, it } from 'vitest'
import { logoutTokenMoves } from '../../../src/judge/tamper/moves/logout.js'
import { ends } from '../../commands/support.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { sharedLab, testLab } from '../../support/shared.js'

const lab = sharedLab(['--client-port=0'])

const tamper = (name: string, args: readonly string[] = [], env = lab.env) =>
  runProgram(['flow', 'logout', '--tamper', name, '--headless', ...args], { env })

describe('wrong logout tokens at the demo client of a running lab', () => {
  it.each(logoutTokenMoves.map(({ name }) => name))(
    '%s is refused, after one without a fault',
    async name => {
      const { code, stdout } = await tamper(name, ['--json'])
      const lines = jsonLines(stdout)
      const step = (wanted: string) => lines.find(each => each.name === wanted)
      expect(step('honest_logout_token')).toMatchObject({ exchange: { response: { status: 200 } } })
      expect(step('logout_token')).toMatchObject({ exchange: { response: { status: 400 } } })
      expect(step('surviving_relying_party_session')).toMatchObject({ checks: [{ ok: true }, { ok: true }] })
      expect(lines.at(-1)).toMatchObject({ outcome: 'refused', expected: true, tamper: { move: name } })
      expect(code).toBe(0)
    },
  )

  it('keep the key of the lab to themselves', async () => {
    const { stdout } = await tamper('nonce-in-logout-token', ['--json', '--show-secrets'])
    expect(stdout).not.toMatch(/PRIVATE KEY|"d":/)
  })
})

it('a lab without a demo client is passed over, and one with it starts', async () => {
  const bare = await testLab()
  const { code, stderr } = await tamper('old-logout-token', ['--plain'], bare.env)
  expect(code).toBe(0)
  expect(stderr).toContain('is not used: it has no demo client')
  const named = await tamper(
    'old-logout-token',
    ['--plain', '--server', bare.ready.urls.authorization],
    bare.env,
  )
  expect(named).toMatchObject(ends(2, 'it takes the demo client of a lab of yours'))
})

it('other servers, other flows and your own browser have none', async () => {
  const folder = temporaryFolder()
  const env = cleanEnv(folder.path)
  const elsewhere = [
    '--issuer',
    lab.ready.urls.authorization,
    '--client-id',
    'demo',
    '--cacert',
    lab.env.NODE_EXTRA_CA_CERTS ?? '',
  ]
  for (const args of [elsewhere, ['--browser']]) {
    const { code, stderr } = await runProgram(
      ['flow', 'logout', '--tamper', 'old-logout-token', ...args.filter(each => each !== '')],
      { env },
    )
    expect(code).toBe(2)
    expect(stderr).not.toMatch(/ at .*\.(c?js|ts):/)
  }
  folder.remove()
})
