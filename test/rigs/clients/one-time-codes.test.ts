import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

/** Makes the code of a shared secret in base32, at a time in seconds since the epoch. */
type MakeCode = (secret: string, seconds: number) => Promise<string>

/** Shared secrets of 16, 20 and 32 bytes; the second one is that of RFC 6238 Appendix B. */
const SECRETS = [
  'MFRGGZDFMZTWQ2LKNNWG23TPOA',
  'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  'ORSXG5DTMVRXEZLUORSXG5DTMVRXEZLUORSXG5DTMVRXEZLUORSQ',
] as const

const folder = temporaryFolder()
const env = cleanEnv(folder.path)
afterAll(() => folder.remove())

const config = join(folder.path, 'lab.json')
writeFileSync(
  config,
  JSON.stringify({
    users: SECRETS.map((totp_secret, i) => ({ username: `user${i}`, password: 'wonderland', totp_secret })),
  }),
)

/** Tests that another program makes the codes that oauth-lab prints, and that the lab accepts its codes. */
function agrees(make: MakeCode): void {
  it.each(SECRETS.map((secret, i) => ({ secret, user: `user${i}` })))(
    'makes the code of $user',
    async ({ secret, user }) => {
      const before = Math.floor(Date.now() / 1000)
      const { stdout } = await runProgram(['user', 'otp', user, '--config', config, '--json'], { env })
      const { code } = JSON.parse(stdout) as { code: string }
      // The period may end while the programs run.
      const after = Math.floor(Date.now() / 1000)
      expect([await make(secret, before), await make(secret, after)]).toContain(code)
      expect(code).toMatch(/^\d{6}$/)
    },
  )

  it('makes a code that the lab takes for a second factor, and no other', async () => {
    const ask = ['--acr-values', 'urn:oauth-lab:acr:mfa', '--scope', 'openid', '--user', 'user1']
    const flow = (code: string) =>
      runProgram(['flow', 'code', '--config', config, '--json', ...ask, '--otp', code], { env })
    const now = Math.floor(Date.now() / 1000)
    const good = jsonLines((await flow(await make(SECRETS[1], now))).stdout)
    expect(good.at(-1)).toMatchObject({ outcome: 'granted' })
    const old = await flow(await make(SECRETS[1], now - 3600))
    expect(old.code).toBe(1)
    expect(jsonLines(old.stdout).at(-1)).toMatchObject({ outcome: 'refused' })
  })
}

describeWith(['oathtool'], 'one-time codes and oathtool', () => {
  agrees(async (secret, seconds) =>
    execFileSync('oathtool', ['--totp', '--base32', '--now', `@${seconds}`, secret], {
      encoding: 'utf8',
    }).trim(),
  )
})

describeWith([rigs], 'one-time codes and otplib', () => {
  agrees(async (secret, seconds) => {
    const { generate } = await import('otplib')
    return generate({ secret, epoch: seconds })
  })
})
