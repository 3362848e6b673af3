import { describe, expect, it } from 'vitest'
import { readWords } from '../../src/commands/learn/word.js'
import { loadLabConfig } from '../../src/lab/lab-file/config.js'
import { parseTotpSecret, totpCode, totpCounter } from '../../src/protocol/oauth/totp.js'
import { jsonLines } from '../support/program.js'
import { programInHome, refused } from './support.js'

const WORDS = await readWords()

const { here: oauthLab } = programInHome()

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

describe('oauth-lab user otp', () => {
  it('prints the code of now on its own, with the seconds until the next one beside it', async () => {
    const { users } = await loadLabConfig(undefined)
    const secret = parseTotpSecret(users.find(each => each.username === 'alice')!.totp_secret!)!
    const before = totpCounter(Date.now())
    const { code, stdout, stderr } = await oauthLab('user', 'otp', 'alice')
    expect(code).toBe(0)
    expect([before, before + 1].map(each => `${totpCode(secret, each)}\n`)).toContain(stdout)
    expect(stderr).toMatch(/^The next code comes in \d+ seconds?\. Each code is good once\.$/m)
  })

  it('prints JSON', async () => {
    const {
      username,
      code,
      expires_in: left,
    } = JSON.parse((await oauthLab('user', 'otp', 'alice', '--json')).stdout)
    expect(username).toBe('alice')
    expect(code).toMatch(/^\d{6}$/)
    expect(left).toBeGreaterThanOrEqual(1)
    expect(left).toBeLessThanOrEqual(30)
  })

  it.each([
    ['zed', /there is no user "zed" in the lab file\n {2}Users: alice, bob/],
    ['bob', /user bob has no totp_secret, and so no one-time codes\n {2}Give the user one in the lab file/],
  ])('of %s says why there is none', async (name, problem) => {
    const { code, stdout, stderr } = await oauthLab('user', 'otp', name)
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(problem)
  })
})

describe('oauth-lab learn word', () => {
  it('explains a word, in lines of 79 columns', async () => {
    const { code, stdout, stderr } = await oauthLab('learn', 'word', 'resource', 'owner')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^resource owner\n\nThe person whose data it is about/)
    expect(stdout).toMatch(/\nRule: RFC 6749 §1\.1\nFirst used in: {2}oauth-lab learn start 01-who-is-who\n$/)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(79)
  })

  it('lists all words', async () => {
    const { code, stdout } = await oauthLab('learn', 'word')
    expect(code).toBe(0)
    for (const { term, lesson } of WORDS)
      expect(stdout).toMatch(new RegExp(`^${term} +lesson ${lesson}$`, 'm'))
  })

  it('--json is the word, or a word a line', async () => {
    const one = await oauthLab('learn', 'word', 'PKCE', '--json')
    expect(JSON.parse(one.stdout)).toEqual(WORDS.find(({ term }) => term === 'PKCE'))
    const all = await oauthLab('learn', 'word', '--json')
    expect(jsonLines(all.stdout)).toEqual(WORDS)
  })

  it.each([
    ['nonse', 'nonce'],
    ['resource ower', 'resource owner'],
  ])('names the nearest of %s', async (word, near) => {
    expect(await oauthLab('learn', 'word', word)).toMatchObject(
      refused(`no word "${word}" is explained here\n  Did you mean ${near}?\n`),
    )
  })
})
