import { describe, expect, it } from 'vitest'
import { programInHome } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'

const { oauthLab } = programInHome()

describe('oauth-lab rules', () => {
  it('counts the documents, in lines of 79 columns', async () => {
    const { code, stdout, stderr } = await oauthLab('rules')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^RFC 6749 +\d+ +\d+ +\d+ {2}OAuth 2\.0$/m)
    expect(stdout).toMatch(/\n\n\d+ rules, \d+ with a MUST, \d+ of them not covered\n$/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(79)
  })

  it('prints a section, with the places where it lives', async () => {
    const { code, stdout } = await oauthLab('rules', 'RFC 6749', '§4.1.2')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^RFC 6749 §4\.1\.2 {2}MUST\n/)
    expect(stdout).toMatch(/^ {4}enforced by the authorization server: .*code\.replayed/m)
    expect(stdout).toMatch(/^ {4}tried by flow --tamper: .*reuse-code/m)
    expect(stdout).toMatch(/\n2 rules, 2 with a MUST, 0 of them not covered\n$/)
  })

  it('--json is a rule a line', async () => {
    const { code, stdout } = await oauthLab('rules', '9207', '--json')
    expect(code).toBe(0)
    const lines = jsonLines(stdout)
    expect(lines.map(({ rule }) => rule)).toContain('RFC 9207 §2.4')
    expect(lines[0]).toEqual({
      rule: 'RFC 9207 §2',
      must: true,
      sentence: expect.any(String),
      places: expect.arrayContaining([{ does: 'broken', by: 'serve --weak', names: ['no-iss'] }]),
      covered: true,
    })
  })

  it('--uncovered leaves each MUST that nothing here checks', async () => {
    const { code, stdout } = await oauthLab('rules', '--uncovered', '--json')
    expect(code).toBe(0)
    const lines = jsonLines(stdout)
    expect(lines.length).toBeGreaterThan(0)
    expect(lines.every(({ must, covered }) => must === true && covered === false)).toBe(true)
    const none = await oauthLab('rules', '--uncovered', '8707')
    expect([none.code, none.stdout]).toEqual([0, '0 rules, 0 with a MUST, 0 of them not covered\n'])
  })

  it.each([
    ['redirekt', 'redirect'],
    ['invalid_grnt', 'invalid_grant'],
    ['6794', '6749'],
    ['RFC 6748', 'RFC 6749'],
  ])('names the nearest of %s', async (word, near) => {
    const { code, stdout, stderr } = await oauthLab('rules', word)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toContain(`no rule is about "${word}"\n  Did you mean ${near}?\n`)
  })

  it.each(['§99', 'zzzzzzzzzzzz', '\x1b[31m'])('says where all of them are for %j', async word => {
    const { code, stderr } = await oauthLab('rules', word)
    expect(code).toBe(2)
    expect(stderr).toContain('All documents:   oauth-lab rules')
    expect(stderr).not.toContain('\x1b')
  })
})
