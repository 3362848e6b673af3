import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openAlgorithmKeyring } from '../../../src/lab/keys/algorithm-keyring.js'
import { OTHER_KEYS, rotateSigningKeys } from '../../../src/lab/keys/signing-keys.js'
import { signJwt, verificationKeys } from '../../../src/protocol/tokens/keys.js'
import { verifyJwt } from '../../../src/protocol/tokens/verify.js'

const HOUR = 3_600_000
const claims = { sub: 'alice', exp: 2_000_000_000 }
const now = 1_900_000_000_000

let home = ''
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-algorithms-'))
})
afterEach(() => rmSync(home, { recursive: true }))

async function open(signingKeyFile?: string) {
  const made = vi.fn()
  const rotated = vi.fn()
  const options = { home, stage: 'published-keys' as const, tokenLifetime: HOUR, made, rotated }
  const keyring = await openAlgorithmKeyring(signingKeyFile ? { ...options, signingKeyFile } : options)
  return { keyring, made, rotated }
}
const algs = (set: { keys: readonly { alg?: string }[] }) => set.keys.map(each => each.alg)
const setOf = (alg: string) => OTHER_KEYS.find(each => each.alg === alg)!

describe('the keys of other algorithms', () => {
  it('are not made at a start', async () => {
    const { keyring } = await open()
    await keyring.refresh()
    expect(readdirSync(home).sort()).toEqual(['signing-keys.json', 'signing-public.pem'])
    expect(algs(keyring.published())).toEqual(['RS256'])
  })

  it.each(['PS256', 'ES256', 'EdDSA', 'Ed25519'] as const)(
    'are made for %s when it first signs, published, and kept closed to others',
    async alg => {
      const { keyring, made } = await open()
      const [key, same] = await Promise.all([keyring.signingKey(alg), keyring.signingKey(alg)])
      expect(same).toBe(key)
      expect(made.mock.calls).toEqual([[{ kid: key.kid, alg }]])
      expect(algs(keyring.published())).toEqual(['RS256', alg])
      expect(keyring.published()).toBe(keyring.published())
      expect(JSON.stringify(keyring.published())).not.toContain('"d"')
      const [header] = (await signJwt(claims, key)).split('.')
      expect(JSON.parse(Buffer.from(header!, 'base64url').toString())).toEqual({
        typ: 'JWT',
        alg,
        kid: key.kid,
      })
      const verdict = await verifyJwt(await signJwt(claims, key), verificationKeys(keyring), { now })
      expect(verdict.ok).toBe(true)
      if (process.platform !== 'win32') expect(statSync(join(home, setOf(alg).file)).mode & 0o777).toBe(0o600)
    },
  )

  it('are another key than that of RS256, of which signingKey returns the default', async () => {
    const { keyring } = await open()
    expect(await keyring.signingKey('RS256')).toBe(keyring.current())
    const { publicJwk } = await keyring.signingKey('PS256')
    expect(publicJwk.n).not.toBe(keyring.published().keys[0]?.n)
  })

  it('are published by the next run before its first answer, under the same ids', async () => {
    const first = await open()
    const { kid } = await first.keyring.signingKey('ES256')
    const next = await open()
    expect(algs(next.keyring.published())).toEqual(['RS256'])
    await Promise.all([next.keyring.refresh(), next.keyring.refresh()])
    expect(next.keyring.published().keys[1]).toMatchObject({ kid, alg: 'ES256' })
    expect((await next.keyring.signingKey('ES256')).kid).toBe(kid)
    expect(next.made).not.toHaveBeenCalled()
  })

  it('are rotated each by itself, and the retired one stays published', async () => {
    const { keyring, rotated } = await open()
    const old = await keyring.signingKey('EdDSA')
    await keyring.refresh()
    const [{ key }] = await rotateSigningKeys(home, { set: setOf('EdDSA'), tokenLifetime: HOUR })
    await delay(15)
    await keyring.refresh()
    expect((await keyring.signingKey('EdDSA')).kid).toBe(key.kid)
    expect(keyring.published().keys.map(each => each.kid)).toEqual([
      (keyring.current() as { kid: string }).kid,
      key.kid,
      old.kid,
    ])
    expect(rotated.mock.calls).toEqual([[{ kid: key.kid, alg: 'EdDSA', retired: old.kid }]])
  })

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'leave the lab working when their file cannot be read',
    async () => {
      const { file } = setOf('ES256')
      await (await open()).keyring.signingKey('ES256')
      chmodSync(join(home, file), 0)
      const { keyring } = await open()
      await keyring.refresh()
      expect(algs(keyring.published())).toEqual(['RS256'])
      await expect(keyring.signingKey('ES256')).rejects.toThrow(/cannot be used/)
    },
  )

  it('are replaced when their file is broken', async () => {
    const { keyring } = await open()
    const { kid } = await keyring.signingKey('ES256')
    writeFileSync(join(home, setOf('ES256').file), '{"keys":[{"pem":"x","created_at":"2026-01-01"}]}')
    const next = (await open()).keyring
    const made = await next.signingKey('ES256')
    expect(made.kid).not.toBe(kid)
    expect(existsSync(join(home, setOf('ES256').file))).toBe(true)
  })
})
