import { describe, expect, it } from 'vitest'
import { moves } from '../../src/flows/tamper/moves.js'
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
