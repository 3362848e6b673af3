import { describe, expect, it } from 'vitest'
import { loadLabConfig } from '../../../src/lab/lab-file/config.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../../src/protocol/oauth/totp.js'
import { programInHome } from '../../commands/support.js'

const { oauthLab } = programInHome()

describe('oauth-lab user otp', () => {
  it('prints the code of now on its own, with the seconds until the next one beside it', async () => {
    const { users } = await loadLabConfig(undefined)
    const secret = parseTotpSecret(users.find(each => each.username === 'alice')!.totp_secret!)!
    const before = totpCounter(Date.now())
    const { code, stdout, stderr } = await oauthLab('user', 'otp', 'alice')
    expect(code).toBe(0)
    expect([before, before + 1].map(each => `${totpCode(secret, each)}\n`)).toContain(stdout)
    expect(stderr).toMatch(/^The next code comes in \d+ seconds?\. Each code is good once\.$/m)
  })

  it('prints JSON', async () => {
    const {
      username,
      code,
      expires_in: left,
    } = JSON.parse((await oauthLab('user', 'otp', 'alice', '--json')).stdout)
    expect(username).toBe('alice')
    expect(code).toMatch(/^\d{6}$/)
    expect(left).toBeGreaterThanOrEqual(1)
    expect(left).toBeLessThanOrEqual(30)
  })

  it.each([
    ['zed', /there is no user zed in the lab file\n {2}Users: alice, bob/],
    ['bob', /user bob has no totp_secret, and so no one-time codes\n {2}Give the user one in the lab file/],
  ])('of %s says why there is none', async (name, problem) => {
    const { code, stdout, stderr } = await oauthLab('user', 'otp', name)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(problem)
  })
})
