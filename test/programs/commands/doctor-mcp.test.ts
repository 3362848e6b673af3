import { beforeAll, describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { documentMoves } from '../../../src/judge/tamper/moves/documents.js'
import { runProgram } from '../../support/program.js'
import { sharedLab } from '../../support/shared.js'

interface Report {
  readonly issuer: string
  readonly client_id: string
  readonly score: { readonly percent: number; readonly not_tried: number }
  readonly findings: readonly Finding[]
}

const lab = sharedLab()
let url = ''
beforeAll(async () => {
  url = lab.ready.urls.mcp
})

const oauthLab = (...args: readonly string[]) => runProgram(args, { env: lab.env })

describe('oauth-lab doctor --mcp', () => {
  it('finds nothing wrong at /mcp of the running lab, and tries everything', {
    timeout: 60_000,
  }, async () => {
    const { code, stdout, stderr } = await oauthLab('doctor', '--mcp', url, '--json')
    expect([code, stderr]).toEqual([0, ''])
    const { issuer, client_id, score, findings } = JSON.parse(stdout) as Report
    expect({ issuer, client_id, score }).toMatchObject({
      issuer: url,
      client_id: 'oauth-lab',
      score: { percent: 100, not_tried: 0 },
    })
    expect([...new Set(findings.map(({ group }) => group))]).toEqual([
      ...['mcp', 'discovery', 'keys', 'tls', 'registration'],
    ])
    expect(new Set(findings.map(({ name }) => name)).size).toBe(findings.length)
    const passed = findings.filter(({ result }) => result === 'pass').map(({ name }) => name)
    expect(passed).toEqual(
      expect.arrayContaining([
        ...['honest-flow', 'mcp-audience', 'mcp-insufficient-scope', 'mcp-foreign-origin'],
        ...['unknown-resource', 'other-audience', 'no-resource', 'hmac-with-public-key', 'registration-left'],
        ...documentMoves.map(({ name }) => name),
      ]),
    )
  })

  it('examines as a client of the lab file too', { timeout: 60_000 }, async () => {
    const args = ['--client-id', 'demo-spa', '--only', 'mcp', '--json']
    const { code, stdout } = await oauthLab('doctor', '--mcp', url, ...args)
    expect(code).toBe(0)
    expect(JSON.parse(stdout) as Report).toMatchObject({ client_id: 'demo-spa', score: { not_tried: 0 } })
  })

  it('names an address that is no MCP server', { timeout: 60_000 }, async () => {
    const { code, stdout } = await oauthLab(
      'doctor',
      '--mcp',
      `${lab.ready.urls.resource}/nothing`,
      '--only',
      'mcp',
    )
    expect(code).toBe(1)
    expect(stdout).toMatch(/FAULT {2}mcp-unauthenticated +MCP 2026-07-28 Authorization §11/)
  })
})
