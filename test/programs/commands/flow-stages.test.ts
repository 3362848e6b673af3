import { describe, expect, it } from 'vitest'
import { jsonLines, runProgram } from '../../support/program.js'
import { testLab } from '../../support/shared.js'

/** `flow code` against a lab that was started with flags. */
async function flowAgainst(flags: readonly string[], ...args: string[]) {
  const lab = await testLab(flags)
  const { code, stdout } = await runProgram(['flow', 'code', '--json', ...args], { env: lab.env })
  const records = jsonLines(stdout)
  return { code, records, outcome: records.at(-1), keys: records.find(each => each.name === 'keys_request') }
}

interface Checked {
  readonly kind: string
  readonly checks: readonly { readonly name: string; readonly ok: boolean; readonly detail?: string }[]
}

describe('flow code', () => {
  it.each([
    ['shared-secret', 'HS256'],
    ['key-pair', 'RS256'],
  ])('verifies both tokens at the stage %s', async (stage, alg) => {
    const { code, outcome, keys } = await flowAgainst(['--stage', stage], '--scope', 'openid')
    expect(code).toBe(0)
    expect(outcome).toMatchObject({ outcome: 'granted' })
    expect(keys).not.toHaveProperty('exchange')
    const { token, tokens } = keys as { token: Checked; tokens: Checked[] }
    for (const { checks } of [token, ...tokens]) {
      const signature = checks.find(each => each.name === 'signature')
      expect(signature).toMatchObject({ ok: true, detail: expect.stringContaining(alg) })
    }
  })

  it('is refused at the stage login-only, which redeems no code', async () => {
    const { code, records, outcome } = await flowAgainst(['--stage', 'login-only'])
    expect(code).toBe(1)
    expect(records.map(each => each.name)).toContain('authorization_response')
    expect(JSON.stringify(outcome)).toContain('answered 500')
  })

  it('gets a token of the reference, and says what is wrong with its times', async () => {
    const { code, keys, outcome } = await flowAgainst(['--profile', 'reference'])
    expect(code).toBe(1)
    expect(outcome).toMatchObject({
      error: {
        error: 'invalid_token',
        error_description: expect.stringContaining('exp, nbf, iat in milliseconds'),
        rule: 'RFC 7519 §2',
      },
    })
    const { checks } = (keys as { token: Checked }).token
    expect(checks.find(each => each.name === 'signature')?.ok).toBe(true)
    expect(checks.find(each => each.name === 'iat')).toMatchObject({
      ok: false,
      detail: 'issued in the future; it looks like milliseconds',
    })
  })
})
