import { describe, expect, it } from 'vitest'
import { ATTACK_NAMES } from '../../../src/judge/attacks/names.js'
import { programInHome } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'

const { oauthLab } = programInHome()

const run = (...words: readonly string[]) => oauthLab('attack', 'run', ...words)

describe('oauth-lab attack list', () => {
  it('prints every attack, and as data a line each', async () => {
    const { code, stdout, stderr } = await oauthLab('attack', 'list')
    expect([code, stderr]).toEqual([0, ''])
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThan(80)
    for (const name of ATTACK_NAMES) expect(stdout).toMatch(new RegExp(`^${name} `, 'm'))
    const listed = jsonLines((await oauthLab('attack', 'list', '--json')).stdout)
    expect(listed.map(({ name }) => name)).toEqual(ATTACK_NAMES)
    expect(listed[0]).toMatchObject({ weak: ['redirect-prefix'], rule: 'RFC 9700 §4.1.1' })
  })
})

describe('oauth-lab attack run', () => {
  it('exits 0 when the weak lab lost the data, and says what was missing', async () => {
    const { code, stdout, stderr } = await run('device-phishing')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^stolen {4}records of alice, in the answer to GET https:.*\/records$/m)
    expect(stdout).toContain('missing   device_warning  (RFC 8628 §5.4)')
    expect(stdout).toContain('victim   -> authorization server  POST /device')
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^attack {4}device-phishing: /)
    expect(lines.filter(line => !/^(?:\w+ |\d {2}\w| {10}\S|$)/.test(line))).toEqual([])
    expect(stderr).toContain('WEAK on purpose: shows a plain login where a device asks')
  })

  it('--strict exits 0 when the lab kept it; the last line of --json is the outcome', async () => {
    const { code, stdout, stderr } = await run('device-phishing', '--strict', '--json')
    expect(code).toBe(0)
    expect(stderr).not.toContain('WEAK')
    const lines = jsonLines(stdout)
    expect(lines.at(-1)).toMatchObject({
      type: 'outcome',
      outcome: 'defended',
      check: 'device_warning',
      rule: 'RFC 8628 §5.4',
      attack: 'device-phishing',
      weak: [],
    })
    expect(lines.slice(0, -1).every(({ type }) => type === 'step')).toBe(true)
  })

  it('exits 1 when a weak lab kept the data', async () => {
    const { code, stdout } = await run('device-phishing', '--weak', 'alg-none', '--json')
    expect(code).toBe(1)
    expect(jsonLines(stdout).at(-1)).toMatchObject({ outcome: 'defended', weak: ['alg-none'] })
  })

  it('--screen-reader says everything in sentences', async () => {
    const { code, stdout } = await run('device-phishing', '--screen-reader')
    expect(code).toBe(0)
    expect(stdout).toContain('From the victim to the authorization server. Step 4 of 6, done.')
    expect(stdout).toContain('Stolen: records of alice')
  })

  it('waits for a person no longer than --timeout says, and prints the address', async () => {
    const { code, stdout, stderr } = await run('stolen-code', '--browser', '--no-open', '--timeout', '1s')
    expect(code).toBe(124)
    expect(stderr).toMatch(/^alice: open this address in your browser: {2}https:\/\/localhost:\d+\/auth/m)
    expect(stderr).toMatch(/no browser sent GET https:\/\/localhost:\d+\/authorization within 1 s/)
    expect(stdout).not.toMatch(/^stolen/m)
  })

  it.each([
    ['mermaid', /participant attacker as Attacker\n {2}participant user_agent as Victim\n/],
    [
      'markdown',
      /^# Attack login-csrf\n[\s\S]*Note over attacker: stolen state [\s\S]*\*\*stolen\*\*: state\. /,
    ],
    ['curl', /-c "\$work\/cookies-attacker" [\s\S]*OAUTH_ATTACKER_PASSWORD[\s\S]*-c "\$work\/cookies" /],
    ['har', /"comment": "attack login-csrf: stolen"/],
  ])('--export %s keeps the run, with masked secrets', async (format, expected) => {
    const { code, stdout, stderr } = await run('login-csrf', '--export', format)
    expect(code).toBe(0)
    expect(stdout).toMatch(expected)
    expect(stdout).not.toMatch(/wonderland|malice-and-more/)
    expect(stderr).toMatch(/^stolen {4}a note of alice/m)
  })
})
