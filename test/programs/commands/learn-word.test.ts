import { describe, expect, it } from 'vitest'
import { WORDS } from '../../../src/learn/words/words.js'
import { programInHome, refused } from '../../commands/support.js'
import { jsonLines } from '../../support/program.js'

const { oauthLab } = programInHome()

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
