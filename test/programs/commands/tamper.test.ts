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

  it.each([
    ['drop-state', 'state_mismatch'],
    ['unregistered-redirect-uri', 'invalid_request'],
    ['missing-verifier', 'invalid_grant'],
    ['both-credentials', 'invalid_request'],
    ['expired-code', 'invalid_grant'],
    ['alg-none', 'invalid_token'],
    ['other-audience', 'invalid_token'],
    ['other-client-code', 'invalid_grant'],
  ])('%s is refused with %s', async (name, error) => {
    const { code, outcome } = await tampered('--tamper', name)
    expect([code, outcome]).toMatchObject([0, { expected: true, error: { error } }])
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
    [['--tamper', 'reuse-cod'], 'Did you mean reuse-code?'],
    [['--tamper', 'no-challenge'], 'only a public client must use PKCE'],
    [['--tamper', 'wrong-verifier', '--no-pkce'], 'this flow uses no PKCE'],
    [['--tamper', 'no-csrf-value', '--browser'], 'your own browser'],
    [['--tamper', 'guessed-request-uri'], '--par'],
    [['--tamper', 'replayed-proof'], '--dpop'],
    [['--tamper', 'altered-assertion'], 'this flow has no such token request'],
  ])('%j is a usage error', async (args, message) => {
    const { code, lines, stderr } = await tampered(...args)
    expect([code, lines]).toEqual([2, []])
    expect(stderr).toContain(message)
  })

  it.each([
    ['refresh', 'reuse-refresh-token', 'invalid_grant'],
    ['refresh', 'widened-scope', 'invalid_scope'],
    ['implicit', 'altered-answer-token', 'invalid_token'],
    ['resource', 'hmac-with-public-key', 'invalid_token'],
    ['resource', 'expired-token', 'invalid_token'],
    ['password', 'wrong-password', 'invalid_grant'],
    ['client-credentials', 'public-client', 'unauthorized_client'],
    ['assertion', 'other-audience-assertion', 'invalid_grant'],
    ['device', 'expired-device-code', 'expired_token'],
    ['token-exchange', 'altered-subject-token', 'invalid_request'],
  ])('flow %s --tamper %s is refused with %s', async (flow, move, error) => {
    const { code, stdout } = await oauthLab('flow', flow, '--json', '--tamper', move)
    expect([code, jsonLines(stdout).at(-1)]).toMatchObject([0, { expected: true, error: { error } }])
  })

  it.each([
    [['resource', '--token-type', 'mac'], 'replayed-mac'],
    [['code', '--par'], 'unregistered-redirect-uri'],
    [['code', '--par'], 'other-client-request-uri'],
    [['code', '--dpop'], 'bound-token-as-bearer'],
    [['code', '--par', '--dpop'], 'reuse-code'],
  ])('%j --tamper %s is refused as expected', async (args, move) => {
    const { code, stdout } = await oauthLab('flow', ...args, '--json', '--tamper', move)
    expect([code, jsonLines(stdout).at(-1)]).toMatchObject([0, { expected: true }])
  })

  it('refuses a flow that has no place for the move, before any lab is started', async () => {
    const { code, stderr } = await oauthLab('flow', 'password', '--tamper', 'reuse-code')
    expect(code).toBe(2)
    expect(stderr).toContain('this flow has no such token request')
    expect(stderr).not.toContain('Started')
  })
})
