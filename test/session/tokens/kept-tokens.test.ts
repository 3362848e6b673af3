import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  forgetToken,
  type KeptToken,
  keepToken,
  keptTokens,
  readKeptToken,
  tokenId,
} from '../../../src/session/tokens/kept-tokens.js'
import { forAll } from '../../support/for-all.js'
import { temporaryFolder } from '../../support/program.js'

let folder = temporaryFolder()
let home = folder.path
beforeEach(() => {
  folder = temporaryFolder()
  home = join(folder.path, 'lab')
})
afterEach(() => folder.remove())

const place = {
  issuer: 'https://as.test',
  endpoint: 'https://as.test',
  clientId: 'demo',
  grant: 'code',
  user: 'alice',
  scope: 'a b',
  resource: '',
  parameters: '',
  binding: '',
}
const token = (change: Partial<KeptToken> = {}): KeptToken => {
  const here = { ...place, ...change }
  return {
    ...here,
    id: tokenId(here),
    accessToken: 'at',
    tokenType: 'Bearer',
    obtainedAt: 1,
    usedAt: Date.now(),
    ...change,
  }
}

describe('tokenId', () => {
  it('does not depend on the order of scopes', () => {
    expect(tokenId({ ...place, scope: 'b a' })).toBe(tokenId(place))
  })

  it.each([...(Object.keys(place) as (keyof typeof place)[]), 'entry'])(
    'is another one with another %s',
    name => {
      expect(tokenId({ ...place, [name]: 'other' })).not.toBe(tokenId(place))
    },
  )
})

describe('kept tokens', () => {
  it('are in files for their owner alone, and come back whole', async () => {
    const kept = token({ refreshToken: 'rt', dpopKey: { kty: 'EC', d: 'x' }, expiresAt: Date.now() + 1000 })
    await keepToken(home, kept)
    expect(await readKeptToken(home, kept.id)).toEqual(kept)
    expect(readdirSync(join(home, 'tokens'))).toEqual([`${kept.id}.json`])
    if (process.platform !== 'win32') {
      expect(statSync(join(home, 'tokens')).mode & 0o777).toBe(0o700)
      expect(statSync(join(home, 'tokens', `${kept.id}.json`)).mode & 0o777).toBe(0o600)
    }
    expect(await forgetToken(home, kept.id)).toBe(true)
    expect(await forgetToken(home, kept.id)).toBe(false)
    expect(await readKeptToken(home, kept.id)).toBeUndefined()
  })

  it('go when nothing can be done with them any more', async () => {
    const past = Date.now() - 1000
    await keepToken(home, token({ user: 'ended', expiresAt: past }))
    await keepToken(home, token({ user: 'refreshable', expiresAt: past, refreshToken: 'rt' }))
    await keepToken(home, token({ user: 'old', usedAt: Date.now() - 31 * 86_400_000 }))
    await keepToken(home, token({ user: 'endless' }))
    expect((await keptTokens(home)).map(({ user }) => user).sort()).toEqual(['endless', 'refreshable'])
  })

  it('are a hundred at most; the one used longest ago goes first', async () => {
    const now = Date.now()
    for (let i = 0; i < 103; i++) await keepToken(home, token({ user: `u${i}`, usedAt: now + i }))
    const users = (await keptTokens(home)).map(({ user }) => user)
    expect(users).toHaveLength(100)
    expect(users).not.toContain('u2')
    expect(users[0]).toBe('u102')
    expect(readdirSync(join(home, 'tokens'))).toHaveLength(100)
  })

  it('leave no draft of a process that was killed', async () => {
    await keepToken(home, token())
    const names = [`${'0'.repeat(16)}.json.1-00000000`, `${'1'.repeat(16)}.json.1-00000000`]
    for (const name of names) writeFileSync(join(home, 'tokens', name), 'half a token')
    const before = (Date.now() - 120_000) / 1000
    utimesSync(join(home, 'tokens', names[0]!), before, before)
    await keptTokens(home)
    expect(readdirSync(join(home, 'tokens'))).toEqual(expect.arrayContaining([names[1]]))
    expect(readdirSync(join(home, 'tokens'))).not.toContain(names[0])
  })

  it('are not read from files that hold anything else', async () => {
    mkdirSync(join(home, 'tokens'), { recursive: true, mode: 0o700 })
    const file = join(home, 'tokens', '0123456789abcdef.json')
    const members = ['issuer', 'accessToken', 'obtainedAt', 'usedAt', 'expiresAt', 'dpopKey', 'refreshToken']
    const almost = fc
      .record({ name: fc.constantFrom(...members), value: fc.jsonValue() })
      .map(({ name, value }) => ({ ...token(), [name]: value }))
    await forAll(
      fc.oneof(
        fc.string(),
        fc.json(),
        almost.map(each => JSON.stringify(each)),
      ),
      async text => {
        writeFileSync(file, text)
        const read = await readKeptToken(home, '0123456789abcdef')
        if (read === undefined) return
        expect(typeof read.issuer).toBe('string')
        expect(typeof read.accessToken).toBe('string')
        expect(Number.isFinite(read.usedAt)).toBe(true)
      },
    )
  })
})
