import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openKeyring } from '../../../src/lab/keys/keyring.js'
import { ensureSigningKeys, rotateSigningKeys } from '../../../src/lab/keys/signing-keys.js'
import { publicPem } from '../../../src/protocol/tokens/keys.js'
import type { StageName } from '../../../src/servers/authorization-server/stages/stages.js'

const HOUR = 3_600_000

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-keys-'))
})
afterEach(() => {
  vi.useRealTimers()
  rmSync(home, { recursive: true })
})

const open = (stage: StageName = 'published-keys', rotated = vi.fn()) =>
  openKeyring({ home, stage, tokenLifetime: HOUR, rotated })
/** After a look at the key file, the next one waits for a moment. */
const aMoment = () => delay(15)
const kidOf = (key: { alg: string; kid?: string }) => key.kid
const kids = (set: { keys: readonly { kid?: string }[] }) => set.keys.map(each => each.kid)
const mode = (name: string) => statSync(join(home, name)).mode & 0o777

describe('the keyring of a lab', () => {
  it('makes one key, keeps it closed to others, and writes the public half', async () => {
    const keyring = await open()
    expect(mode('signing-keys.json')).toBe(0o600)
    const [{ key }] = await ensureSigningKeys(home)
    expect(kidOf(keyring.current())).toBe(key.kid)
    expect(kids(keyring.published())).toEqual([key.kid])
    expect(readFileSync(join(home, 'signing-public.pem'), 'utf8')).toBe(publicPem(key))
    expect(kidOf((await open()).current())).toBe(key.kid)
  })

  it('is made once by two labs that start together', async () => {
    const [one, two] = await Promise.all([open(), open()])
    expect(kidOf(one.current())).toBe(kidOf(two.current()))
  })

  it('signs with the rotated key after a refresh, and publishes the old one too', async () => {
    const rotated = vi.fn()
    const keyring = await open('published-keys', rotated)
    const old = kidOf(keyring.current())
    await keyring.refresh()
    expect(rotated).not.toHaveBeenCalled()
    const [{ key }] = await rotateSigningKeys(home, { tokenLifetime: HOUR })
    expect(kidOf(keyring.current())).toBe(old)
    await aMoment()
    await Promise.all([keyring.refresh(), keyring.refresh()])
    expect(kidOf(keyring.current())).toBe(key.kid)
    expect(kids(keyring.published())).toEqual([key.kid, old])
    expect(keyring.published()).toBe(keyring.published())
    expect(rotated.mock.calls).toEqual([[{ kid: key.kid, alg: 'RS256', retired: old }]])
    expect(mode('signing-keys.json')).toBe(0o600)
  })

  it('stops publishing a key when its tokens have expired', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const keyring = await open()
    const old = kidOf(keyring.current())
    await rotateSigningKeys(home, { tokenLifetime: HOUR })
    await keyring.refresh()
    vi.setSystemTime(Date.now() + HOUR + 59_000)
    expect(kids(keyring.published())).toContain(old)
    vi.setSystemTime(Date.now() + 2000)
    expect(kids(keyring.published())).toEqual([kidOf(keyring.current())])
    expect(kids((await open()).published())).toEqual([kidOf(keyring.current())])
  })

  it('forgets retired keys after a week, and keeps twenty at most', async () => {
    const week = 7 * 24 * HOUR
    const now = Date.now()
    const rotate = (at: number, tokenLifetime = HOUR) => rotateSigningKeys(home, { tokenLifetime, now: at })
    await rotate(now)
    await rotate(now + 1)
    expect(await rotate(now + week)).toHaveLength(3)
  })

  it('publishes a key until the recorded end of its tokens, when that is later', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    const keyring = await open()
    const old = kidOf(keyring.current())
    await rotateSigningKeys(home, { tokenLifetime: 48 * HOUR })
    vi.setSystemTime(Date.now() + 47 * HOUR)
    expect(kids((await open()).published())).toContain(old)
    vi.setSystemTime(Date.now() + 2 * HOUR)
    expect(kids((await open()).published())).not.toContain(old)
  })

  it('makes new keys where the file is broken', async () => {
    writeFileSync(join(home, 'signing-keys.json'), '{"keys":[{}]}')
    const keyring = await open()
    expect(kids(keyring.published())).toHaveLength(1)
    expect(kidOf((await open()).current())).toBe(kidOf(keyring.current()))
  })

  it('keeps its keys when the file is removed or broken', async () => {
    const keyring = await open()
    const before = kidOf(keyring.current())
    writeFileSync(join(home, 'signing-keys.json'), 'nonsense')
    await keyring.refresh()
    rmSync(join(home, 'signing-keys.json'))
    await aMoment()
    await keyring.refresh()
    expect(kidOf(keyring.current())).toBe(before)
  })

  it('keeps a secret of its own at the stage shared-secret, and publishes nothing', async () => {
    const keyring = await open('shared-secret')
    const secret = readFileSync(join(home, 'signing-secret'), 'utf8')
    expect(mode('signing-secret')).toBe(0o600)
    expect(secret).toMatch(/^[\w-]{43}\n$/)
    expect(keyring.current().alg).toBe('HS256')
    expect(keyring.published()).toEqual({ keys: [] })
    await open('shared-secret')
    expect(readFileSync(join(home, 'signing-secret'), 'utf8')).toBe(secret)
  })
})
