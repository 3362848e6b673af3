import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type LoginOptions, loginWish } from '../../../src/session/options/login.js'
import { checkTypedCode, oneTimeCodes } from '../../../src/session/people/users.js'

const none = { authorization: [], token: [] }

describe('the options about the login', () => {
  it('are read, claims from a file too', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'claims-'))
    const file = join(folder, 'claims.json')
    writeFileSync(file, '{ "userinfo": { "name": null } }')
    const claims = { userinfo: { name: null } }
    expect(await loginWish({ claims: file }, none)).toEqual({ claims })
    expect(await loginWish({ claims: `@${file}` }, none)).toEqual({ claims })
    rmSync(folder, { recursive: true })
    const wish = { acrValues: ' a,b  c ', maxAge: '0', claims: '{"id_token":{}}' }
    expect(await loginWish(wish, none)).toEqual({ acrValues: 'a b c', maxAge: 0, claims: { id_token: {} } })
    expect(await loginWish({}, none)).toEqual({})
  })

  it.each<[LoginOptions, RegExp]>([
    [{ maxAge: '-1' }, /--max-age -1 is no number of seconds/],
    [{ maxAge: '1.5' }, /is no number/],
    [{ acrValues: ' ' }, /names no class/],
    [{ claims: '{' }, /that is no JSON/],
    [{ claims: '{}' }, /asks for nothing/],
    [{ claims: '{"id_token":[]}' }, /id_token is no JSON object/],
    [{ claims: '/no/such/file' }, /cannot read/],
  ])('refuse %j', async (options, problem) => {
    await expect(loginWish(options, none)).rejects.toThrow(problem)
  })

  it.each(['acr_values', 'max_age', 'claims'])('and --param do not both say %s', async name => {
    const options = { acrValues: 'a', maxAge: '1', claims: '{"id_token":{}}' }
    const parameters = { authorization: [[name, 'x']] as const, token: [] }
    await expect(loginWish(options, parameters)).rejects.toThrow(
      `--param ${name} and --${name.replace('_', '-')}`,
    )
  })
})

describe('one-time codes', () => {
  const users = [{ username: 'alice', totp_secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ' }, { username: 'bob' }]
  // RFC 6238 Appendix B: 94287082 at 59 seconds, of which six digits are used.
  const known = oneTimeCodes({ users, now: () => 59_000 })

  it('come from the secret of the user, then from the next period once', () => {
    expect([known('alice', 0), known('bob', 0), known(undefined, 0)]).toEqual([
      '287082',
      undefined,
      undefined,
    ])
    expect(known('alice', 1)).toMatch(/^\d{6}$/)
    expect(known('alice', 1)).not.toBe('287082')
    expect(known('alice', 2)).toBeUndefined()
  })

  it('of a person come first, and once', () => {
    const typed = oneTimeCodes({ typed: '123456', users, now: () => 0 })
    expect([typed('alice', 0), typed('alice', 1)]).toEqual(['123456', undefined])
  })

  it.each(['', '1 2', 'abc', '12345678901234567'])('%j is no code', code => {
    expect(() => checkTypedCode(code)).toThrow('--otp takes the code alone')
  })
})
