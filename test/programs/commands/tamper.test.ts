import { describe, expect, it } from 'vitest'
import { moves } from '../../../src/judge/tamper/moves.js'
import { programInHome } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'

const { oauthLab } = programInHome()

describe('oauth-lab tamper list', () => {
  it('prints what every move does, the expected refusal and the rule', async () => {
    const { code, stdout, stderr } = await oauthLab('tamper', 'list')
    expect([code, stderr]).toEqual([0, ''])
    for (const { name, does, rule } of moves) {
      expect(stdout).toContain(`\n${name} `.trimStart())
      expect(stdout).toContain(does)
      expect(stdout).toContain(`(${rule})`)
    }
  })

  it('--json is one object', async () => {
    const { code, stdout } = await oauthLab('tamper', 'list', '--json')
    expect(code).toBe(0)
    const list = JSON.parse(stdout) as { moves: Record<string, unknown>[] }
    expect(list.moves.map(({ name }) => name)).toEqual(moves.map(({ name }) => name))
    expect(list.moves.find(({ name }) => name === 'reuse-code')).toEqual({
      name: 'reuse-code',
      at: 'token_request',
      does: 'redeems the code a second time',
      risk: expect.any(String),
      expects: [{ by: 'token', errors: ['invalid_grant'] }],
      rule: 'RFC 6749 §4.1.2',
      flows: ['code', 'hybrid', 'resource', 'refresh', 'token-exchange', 'logout', 'mcp'],
    })
  })

  it('--flow lists what can be made in one flow, and every flow has something', async () => {
    for (const flow of ['implicit', 'password', 'client-credentials', 'assertion', 'device']) {
      const { stdout } = await oauthLab('tamper', 'list', '--flow', flow, '--json')
      const list = JSON.parse(stdout) as { moves: { name: string; flows: string[] }[] }
      expect(list.moves.map(({ name }) => name)).toContain('altered-token')
      expect(list.moves.filter(({ flows }) => !flows.includes(flow))).toEqual([])
    }
  })

  it('has help with examples', async () => {
    for (const args of [['tamper'], ['tamper', 'list']]) {
      expect((await oauthLab(...args, '--help')).stdout).toMatch(/\nExamples:\n {2}\S/)
    }
  })
})

type Line = Record<string, unknown> & {
  name?: string
  n?: number
  of?: number
  checks?: { name: string; ok: boolean }[]
}

const tampered = async (...args: string[]) => {
  const { code, stdout, stderr } = await oauthLab('flow', 'code', '--json', ...args)
  const lines = jsonLines(stdout) as Line[]
  return { code, stderr, lines, step: lines.at(-2), outcome: lines.at(-1) }
}

describe('oauth-lab flow code --tamper', () => {
  it('reuse-code: exit 0 when the server refuses as expected', async () => {
    const { code, step, outcome } = await tampered('--tamper', 'reuse-code')
    expect(code).toBe(0)
    expect(outcome).toEqual({
      type: 'outcome',
      outcome: 'refused',
      expected: true,
      tamper: { move: 'reuse-code', wanted: 'invalid_grant', found: '400 invalid_grant' },
      error: {
        error: 'invalid_grant',
        error_description: expect.stringContaining('redeemed before'),
        rule: 'RFC 6749 §4.1.2',
      },
    })
    expect(step).toMatchObject({ name: 'token_request', n: 6, of: 6 })
    expect(step?.checks?.at(-1)).toMatchObject({ name: 'tamper', ok: true, rule: 'RFC 6749 §4.1.2' })
  })

  it('exits with 1 when a server accepts the wrong move: a client that need not use PKCE', async () => {
    const { code, outcome } = await tampered('--tamper', 'no-challenge', '--client', 'demo-public')
    expect(code).toBe(1)
    expect(outcome).toMatchObject({
      outcome: 'granted',
      expected: false,
      error: { error: 'not_refused', rule: 'RFC 9700 §2.1.1' },
    })
  })

  it('exits with 1 where the flow ends before the move', async () => {
    const { code, outcome } = await tampered('--tamper', 'reuse-code', '--user', 'alice:wrong')
    expect(code).toBe(1)
    expect(outcome).toMatchObject({ outcome: 'refused', expected: false, error: { error: 'login_failed' } })
    expect(outcome?.tamper).toEqual({ move: 'reuse-code', wanted: 'invalid_grant' })
  })

  it('reports the result on the last line of plain text', async () => {
    const { code, stdout } = await oauthLab('flow', 'code', '--tamper', 'wrong-verifier')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /\nrefused {2}wrong-verifier as expected: 400 invalid_grant {2}\(RFC 7636 §4\.6\)\nsaid /,
    )
  })

  it.each([
    ['device', 'expired-device-code', 'expired_token'],
    ['code --par --dpop', 'reuse-code', 'invalid_grant'],
  ])('flow %s --tamper %s is refused with %s', async (flow, move, error) => {
    const { code, stdout } = await oauthLab('flow', ...flow.split(' '), '--json', '--tamper', move)
    expect([code, jsonLines(stdout).at(-1)]).toMatchObject([0, { expected: true, error: { error } }])
  })
})
