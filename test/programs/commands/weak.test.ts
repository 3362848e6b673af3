import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { WEAK_MODES, type WeakName } from '../../../src/protocol/rules/weak-modes.js'
import { ends, longRunning, programInHome } from '../../commands/support.js'
import { jsonLines, startProgram } from '../../support/program.js'

const { env, home, oauthLab, written } = programInHome()

const { started } = longRunning()

describe('oauth-lab weak list', () => {
  it('prints name, behaviour, gain and rule of every mode', async () => {
    const { code, stdout, stderr } = await oauthLab('weak', 'list')
    expect([code, stderr]).toEqual([0, ''])
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(80)
    const flat = stdout.replace(/\s+/g, ' ')
    for (const { name, sentence, opens, rule } of WEAK_MODES) {
      expect(stdout).toMatch(new RegExp(`^${name} +the `, 'm'))
      expect(flat).toContain(`${sentence} ${opens} (${rule})`)
    }
  })

  it('--json is one object with the table', async () => {
    const { stdout } = await oauthLab('weak', 'list', '--json')
    expect(JSON.parse(stdout)).toEqual({ modes: WEAK_MODES })
  })
})

/** The check of the doctor that finds a mode, for those that a client can see from outside. */
const FOUND_BY = {
  'redirect-any': 'unregistered-redirect-uri',
  'code-reuse': 'reuse-code',
  'code-not-bound': 'other-client-code',
  'pkce-ignored': 'wrong-verifier',
  'consent-skipped': 'session-asks',
  framable: 'frame-protection',
  referrer: 'login-resources',
  'alg-none': 'resource-alg-none',
  'hs-rs': 'resource-hmac-with-public-key',
  'any-audience': 'resource-other-audience',
  'id-token-as-access-token': 'resource-id-token-as-access-token',
  'bearer-for-dpop': 'bound-token-as-bearer',
} as const satisfies Partial<Record<WeakName, string>>

describe('oauth-lab serve --weak', () => {
  const nothing = ['--port', '0', '--http-port', '0']

  it('is explained by --explain, which starts nothing', async () => {
    const { code, stdout } = await oauthLab('serve', '--weak', 'no-iss', '--explain')
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /WEAK on purpose, on this machine only:\n\nno-iss +the authorization server does not/,
    )
    const { stdout: json } = await oauthLab('serve', '--weak', 'no-iss', '--explain', '--json')
    expect(JSON.parse(json)).toMatchObject({ weak: [{ name: 'no-iss', rule: 'RFC 9207 §2' }] })
  })

  it('replaces the modes of the lab file, and says so in its first line, its record and its greeting', async () => {
    const file = written('weak.yaml', 'weak: [framable]\n')
    const modes = ['--weak', 'no-iss,redirect-any', '--weak', 'no-iss']
    const served = startProgram(['serve', ...nothing, '--json', '--config', file, ...modes], { env: env() })
    const [line] = (await started(served)).split('\n')
    const weak = ['redirect-any', 'no-iss']
    expect(JSON.parse(line ?? '')).toMatchObject({ type: 'lab.ready', weak })
    const folder = join(home(), 'lab')
    const [record = ''] = readdirSync(folder).filter(name => /^lab-\d+\.json$/.test(name))
    expect(JSON.parse(readFileSync(join(folder, record), 'utf8'))).toMatchObject({ weak })

    expect(await oauthLab('flow', 'code', '--client', 'demo', '--user', 'alice')).toMatchObject(
      ends(
        0,
        'WEAK on purpose: accepts any redirect address; does not name itself in authorization responses',
      ),
    )
  })

  it('makes a lab whose faults the doctor finds by itself, each by its own check', async () => {
    const modes = Object.keys(FOUND_BY).join()
    const served = startProgram(['serve', ...nothing, '--json', '--weak', modes], { env: env() })
    await started(served)
    const { code, stdout } = await oauthLab('doctor', '--json')
    expect(code).toBe(1)
    const found = jsonLines(stdout)
      .flatMap(({ findings }) => (findings as { name: string; result: string }[]) ?? [])
      .filter(({ result }) => result === 'fault' || result === 'weakness')
      .map(({ name }) => name)
    expect(found).toEqual(expect.arrayContaining(Object.values(FOUND_BY)))
  })

  it('makes a lab whose csrf value compress breach finds by the length of pages', async () => {
    const served = startProgram(['serve', ...nothing, '--json', '--weak', 'no-mask'], { env: env() })
    await started(served)
    const { stdout } = await oauthLab('compress', 'breach')
    expect(stdout).toContain('As this lab makes it: on each page of a browser without a mask')
    expect(stdout.match(/its length reveals it/g)).toHaveLength(2)
  })

  it('greets with the sentence of the lab file', async () => {
    const file = written('weak.yaml', 'weak: [framable]\n')
    const served = startProgram(['serve', ...nothing, '--plain', '--config', file], { env: env() })
    await started(served, 'Ctrl-C')
    expect(served.stdout()).toMatch(/^WEAK on purpose: lets other sites show its pages in a frame\n/)
  })

  it('refuses a lab file with another name, and names the line', async () => {
    const file = written('wrong.yaml', 'stage: published-keys\nweak:\n  - framible\n')
    const { code, stderr } = await oauthLab('config', 'check', file)
    expect(code).toBe(2)
    expect(stderr).toContain('wrong.yaml:3')
    expect(stderr).toContain('Did you mean framable?')
  })
})
