import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { type OtherIssuer, startIssuer } from '../../support/issuer.js'
import { cleanEnv, jsonLines, runProgram, temporaryFolder } from '../../support/program.js'
import { describeWith, rigs } from '../../support/requires.js'

const home = temporaryFolder()
let mock: OtherIssuer

beforeAll(async () => {
  mock = await startIssuer('oauth2-mock-server.js', [], cleanEnv(home.path))
})

afterAll(async () => {
  await mock.stop()
  home.remove()
})

describeWith([rigs], 'oauth2-mock-server', () => {
  it('has many faults, each with its rule', async () => {
    const { code, stdout, stderr } = await runProgram(
      ['doctor', mock.issuer, '--client-id', 'web', '--json'],
      { env: cleanEnv(home.path) },
    )
    expect([code, stderr]).toEqual([1, ''])
    const report = JSON.parse(stdout) as { findings: Finding[]; score: Record<string, number> }
    const faults = report.findings.filter(({ result }) => result === 'fault')
    expect(report.score.faults).toBe(faults.length)
    const broken = report.findings.filter(({ result }) => ['fault', 'weakness', 'remark'].includes(result))
    expect(broken.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'https',
        'login-asked',
        'authorization-no-cors',
        'unknown-client',
        'no-challenge',
        'unregistered-redirect-uri',
        'redirect-uri-script',
        'missing-verifier',
        'wrong-redirect-uri',
        'unknown-grant-type',
        'no-token',
        'alg-none',
        'token-in-query',
        'guessed-refresh-token',
      ]),
    )
    expect(new Set(broken.map(({ rule }) => rule)).size).toBeGreaterThanOrEqual(7)
    const passed = report.findings.filter(({ result }) => result === 'pass').map(({ name }) => name)
    expect(passed).toEqual(
      expect.arrayContaining(['honest-flow', 'jwks-public', 'state-intact', 'token-no-store']),
    )
  })

  it('lets a wrong move through, and flow code --tamper says so', async () => {
    const { code, stdout } = await runProgram(
      [
        ...['flow', 'code', '--issuer', mock.issuer, '--client-id', 'web'],
        ...['--tamper', 'unregistered-redirect-uri', '--json'],
      ],
      { env: cleanEnv(home.path) },
    )
    expect([code, jsonLines(stdout).at(-1)]).toMatchObject([
      1,
      { outcome: 'granted', expected: false, error: { error: 'not_refused' } },
    ])
  })
})
