import { writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Finding } from '../../../src/judge/doctor/finding.js'
import { ends, programInHome } from '../../commands/support.js'
import { runProgram } from '../../support/program.js'
import { sharedFolder, sharedLab, testLab } from '../../support/shared.js'

const { oauthLab } = programInHome()
const folder = sharedFolder()

interface Report {
  issuer: string
  client_id: string
  score: { passed: number; faults: number; not_applicable: number; not_tried: number; percent: number }
  findings: Finding[]
}

const namesOf = ({ findings }: Report, wanted: Finding['result']) =>
  findings.filter(({ result }) => result === wanted).map(({ name }) => name)

describe('oauth-lab doctor', () => {
  it('gives the embedded lab full marks', async () => {
    const { code, stdout, stderr } = await oauthLab('doctor')
    expect(code).toBe(0)
    expect(stderr).toMatch(/^Started a lab for this command: https:\/\/localhost:\d+\n$/)
    expect(stdout).not.toContain('FAULT')
    expect(stdout).toMatch(/\n {2}✓ pass {3}reuse-code +RFC 6749 §4\.1\.2 +400 invalid_grant\n/)
    expect(stdout).toMatch(/\nscore 100 %: \d+ passed, 0 faults, 4 remarks, \d not applicable\n$/)
    expect(stdout).toMatch(/ resource-other-audience +RFC 9068 §4 +401 invalid_token\n/)
    for (const heading of ['Discovery', 'Keys', 'Login', 'Authorization request', 'Token request']) {
      expect(stdout.split('\n').filter(line => line === heading)).toHaveLength(1)
    }
  })

  it('--only examines a group, and --ignore counts a finding out', async () => {
    const args = ['doctor', '--json', '--only', 'login', '--ignore', 'frame-protection']
    const { code, stdout } = await oauthLab(...args)
    const { findings, score } = JSON.parse(stdout) as Report
    expect(code).toBe(0)
    expect(new Set(findings.map(({ group }) => group))).toEqual(
      new Set(['discovery', 'login', 'authorization']),
    )
    expect(findings.find(({ name }) => name === 'frame-protection')).toMatchObject({ ignored: true })
    expect(score.passed).toBe(findings.filter(({ result }) => result === 'pass').length - 1)
  })

  it('-o junit and -o sarif are reports for machines', async () => {
    const junit = await oauthLab('doctor', '--only', 'keys', '-o', 'junit')
    expect([junit.code, junit.stdout]).toEqual([0, expect.stringMatching(/^<\?xml .*\n<testsuites /)])
    const sarif = JSON.parse((await oauthLab('doctor', '--only', 'keys', '-o', 'sarif')).stdout)
    expect(sarif).toMatchObject({ version: '2.1.0', runs: [{ tool: { driver: { name: 'oauth-lab' } } }] })
  })

  it.each([['demo-spa'], ['demo-native']])('gives it full marks as the public client %s', async client => {
    const { code, stdout } = await oauthLab('doctor', '--json', '--client', client)
    const report = JSON.parse(stdout) as Report
    expect([code, report.client_id, report.score.faults]).toEqual([0, client, 0])
    expect(namesOf(report, 'not_applicable')).toEqual(
      expect.arrayContaining(['both-credentials', 'wrong-secret']),
    )
  })

  it('--profile weighs by other rules, and a baseline says what is mended', { timeout: 60_000 }, async () => {
    const bcp = await oauthLab('doctor', '--profile', 'bcp', '--only', 'discovery', '--json')
    expect([bcp.code, namesOf(JSON.parse(bcp.stdout) as Report, 'fault')]).toEqual([
      1,
      ['password-not-announced'],
    ])
    const known = join(folder.path, 'known.json')
    writeFileSync(known, bcp.stdout)
    const again = ['doctor', '--only', 'discovery', '--profile', 'bcp', '--baseline']
    const same = await oauthLab(...again, known)
    expect([same.code, same.stderr]).toEqual([0, expect.not.stringContaining('no longer')])
    const findings = [{ name: 'metadata', result: 'fault' }, ...(JSON.parse(bcp.stdout) as Report).findings]
    writeFileSync(known, JSON.stringify({ findings }))
    expect((await oauthLab(...again, known)).stderr).toContain(
      'Broken in the baseline, and no longer: metadata\n',
    )
  })

  describe('at a lab under FAPI 2.0', () => {
    const bank = ['--config', resolve('examples/fapi2/oauth-lab.yaml'), '--client', 'bank']
    const key = ['--client-key', resolve('examples/fapi2/bank-key.json')]

    async function examined(...args: readonly string[]) {
      const { code, stdout, stderr } = await oauthLab('doctor', '--json', ...args)
      expect([code, stderr]).toEqual([0, expect.stringContaining('Started a lab')])
      const report = JSON.parse(stdout) as Report
      expect([...namesOf(report, 'fault'), ...namesOf(report, 'weakness')]).toEqual([])
      // It makes keys of other algorithms when a client needs them, and a frame reads one cookie.
      expect(namesOf(report, 'remark')).toEqual(['jwks-announced', 'login-cookies'])
      // A second client would need a key of its own.
      expect(namesOf(report, 'not_tried')).toEqual([
        ...['other-client-code', 'other-client-refresh-token', 'other-client-request-uri'],
        'revocation-other-client',
      ])
      expect(namesOf(report, 'not_applicable')).toEqual(
        expect.arrayContaining(['rs256-offered', 'no-challenge', 'session-asks', 'wrong-secret']),
      )
      expect(namesOf(report, 'pass')).toEqual(
        expect.arrayContaining([
          ...['honest-flow', 'par-required', 'response-types-answered', 'expired-code', 'widened-scope'],
          ...['introspection-active', 'revocation-works', 'userinfo-takes-token', 'resource-altered-token'],
        ]),
      )
      return namesOf(report, 'pass')
    }

    it('finds nothing as a client that signs', { timeout: 30_000 }, async () => {
      expect(await examined(...bank, ...key)).toEqual(
        expect.arrayContaining([
          ...['listed-client-assertion', 'no-proof-for-bound-client', 'altered-request-object'],
        ]),
      )
    })

    it('finds nothing as a client with a certificate', { timeout: 30_000 }, async () => {
      const made = await oauthLab('ca', 'client', 'shop', '--subject', 'CN=shop', '--json')
      const pair = JSON.parse(made.stdout) as { certificate: string; key: string; client: object }
      const client = {
        ...pair.client,
        application_type: 'native',
        redirect_uris: ['http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token', 'client_credentials'],
      }
      const config = join(folder.path, 'shop.json')
      writeFileSync(config, JSON.stringify({ profile: 'fapi2', clients: [client] }))
      const own = ['--cert', pair.certificate, '--cert-key', pair.key]
      expect(await examined('--config', config, '--client', 'shop', ...own)).toEqual(
        expect.arrayContaining([
          ...['no-certificate', 'other-certificate', 'bound-without-certificate', 'certificate-bound'],
          'resource-bound-with-other-certificate',
        ]),
      )
    })

    it('asks for the key of the client, and refuses a client that cannot work', async () => {
      const keyless = await oauthLab('doctor', ...bank)
      expect(keyless).toMatchObject(ends(2, '--client-key FILE'))
      const config = join(folder.path, 'unfit.json')
      const client = {
        client_id: 'old',
        client_secret: 's'.repeat(43),
        redirect_uris: ['https://old.example'],
      }
      writeFileSync(config, JSON.stringify({ profile: 'fapi2', clients: [client] }))
      const unfit = await oauthLab('doctor', '--config', config, '--client', 'old')
      expect(unfit).toMatchObject(ends(2, 'client old: it cannot work under the profile fapi2'))
      expect(unfit.stderr).toContain('--client NAME')
    })
  })

  it('finds the faults that the reference behaviour has by design', { timeout: 60_000 }, async () => {
    const lab = await testLab(['--profile', 'reference'])
    const { code, stdout } = await runProgram(['doctor', '--json'], { env: lab.env })
    const report = JSON.parse(stdout) as Report
    expect(code).toBe(1)
    // It publishes no metadata; its record says where its endpoints are.
    const faults = report.findings.filter(({ result }) => result === 'fault').map(({ name }) => name)
    expect(faults).toEqual(
      expect.arrayContaining(['metadata', 'reuse-code', 'other-client-code', 'wrong-secret']),
    )

    const { authorization } = lab.ready.urls
    const endpoints = [
      ...['--authorization-endpoint', `${authorization}/authorization`],
      ...['--token-endpoint', `${authorization}/token`],
    ]
    const elsewhere = ['doctor', authorization, '--client-id', 'web', '--json']
    const named = await runProgram([...elsewhere, ...endpoints], { env: lab.env })
    const groups = (JSON.parse(named.stdout) as Report).findings.map(({ group }) => group)
    expect(groups).toContain('token')
    const unnamed = await runProgram(elsewhere, { env: lab.env })
    expect((JSON.parse(unnamed.stdout) as Report).findings).toHaveLength(1)
    expect(unnamed.stderr).toContain('--authorization-endpoint URL --token-endpoint URL')
  })

  it.each(['key-pair', 'shared-secret'])(
    'knows the key of the lab at the stage %s, and asks no public client for a secret',
    { timeout: 60_000 },
    async stage => {
      const lab = await testLab(['--stage', stage])
      const { stdout } = await runProgram(['doctor', '--json'], { env: lab.env })
      const report = JSON.parse(stdout) as Report
      expect(namesOf(report, 'fault')).toEqual(['metadata'])
      expect(namesOf(report, 'remark')).toEqual([])
      expect(namesOf(report, 'pass')).toEqual(
        expect.arrayContaining(['honest-flow', 'no-challenge', 'session-asks']),
      )
    },
  )
})

describe('oauth-lab doctor on a running lab', () => {
  const lab = sharedLab()

  it.each([[[]], [['ISSUER']]])('%j: all but what needs its clock', async args => {
    const { authorization } = lab.ready.urls
    const named = args.map(() => authorization)
    const { code, stdout, stderr } = await runProgram(['doctor', ...named, '--json'], { env: lab.env })
    const report = JSON.parse(stdout) as Report
    const why =
      args.length > 0 ? `Uses the lab ${authorization} (ISSUER)\n` : `Uses the running lab ${authorization}\n`
    expect([code, stderr, report.issuer]).toEqual([0, why, authorization])
    expect([report.score.faults, report.score.percent < 100]).toEqual([0, true])
    const clock = namesOf(report, 'not_tried')
    expect(clock).toEqual(expect.arrayContaining(['expired-code', 'expired-token']))
    expect(clock.filter(name => !/expired-/.test(name))).toEqual([])
  })

  it('knows it by its issuer too, like any server', async () => {
    const { authorization } = lab.ready.urls
    const { code, stdout } = await runProgram(
      [
        'doctor',
        authorization,
        '--client-id',
        'demo',
        '--client-secret-stdin',
        '--user',
        'bob:builder',
        '--json',
      ],
      { env: lab.env, input: 'demo-secret-0123456789abcdef0123456789\n' },
    )
    const report = JSON.parse(stdout) as Report
    expect([code, report.score.faults]).toEqual([0, 0])
    expect(namesOf(report, 'not_tried')).toEqual(
      expect.arrayContaining(['other-client-code', 'unregistered-response-type', 'session-asks']),
    )
  })

  it('with a wrong password reports that nobody got in, and tries what can be tried', async () => {
    const { authorization } = lab.ready.urls
    const { code, stdout } = await runProgram(
      ['doctor', authorization, '--client-id', 'demo-spa', '--user', 'carol:wrong', '--json'],
      { env: lab.env },
    )
    const report = JSON.parse(stdout) as Report
    const faults = report.findings.filter(({ result }) => result === 'fault')
    expect([code, faults.map(({ name }) => name)]).toEqual([1, ['honest-flow']])
    expect(report.findings.find(({ name }) => name === 'unknown-client')?.result).toBe('pass')
    expect(report.findings.find(({ name }) => name === 'reuse-code')?.result).toBe('not_tried')
  })
})
