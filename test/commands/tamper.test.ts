import { describe, expect, it } from 'vitest'
import { moves } from '../../src/flows/tamper/moves.js'
import { jsonLines } from '../support/program.js'
import { programInHome } from './support.js'

const { oauthLab } = programInHome()

describe('oauth-lab tamper list', () => {
  it('says of every move what it does, what it expects and which rule says so', async () => {
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
    })
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

  it('exits with 1 where a server lets it through: a client that need not use PKCE', async () => {
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

  it('says it on the last line of plain text', async () => {
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
    [['--tamper', 'reuse-code', '--browser'], 'cannot be used with option'],
  ])('%j is a usage error', async (args, message) => {
    const { code, lines, stderr } = await tampered(...args)
    expect([code, lines]).toEqual([2, []])
    expect(stderr).toContain(message)
  })

  it('is for the code flow', async () => {
    expect((await oauthLab('flow', 'password', '--tamper', 'reuse-code')).code).toBe(2)
  })
})
