import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { labDecryptionKeys, rotateDecryptionKeys } from '../../../src/lab/keys/decryption-keys.js'
import { decryptJwe, encryptText } from '../../../src/protocol/tokens/encryption.js'

let home: string
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'oauth-lab-test-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

describe('the keys that clients encrypt to', () => {
  it.each([
    ['RSA', 'RSA-OAEP-256'],
    ['EC', 'ECDH-ES'],
  ] as const)(
    'of kind %s are rotated under a running lab; the last one still decrypts',
    async (kind, alg) => {
      const keys = labDecryptionKeys(home)
      const [first] = await keys(kind)
      const jwe = await encryptText('hello', first.publicJwk, { alg, enc: 'A128GCM' }, { kid: first.kid })

      const [change, ...others] = await rotateDecryptionKeys(home)
      expect(others).toEqual([])
      const [published, kept, ...none] = await keys(kind)
      expect(none).toEqual([])
      expect(change).toEqual({ kid: published.kid, kty: kind, retired: first.kid })
      expect(published.kid).not.toBe(first.kid)
      expect(await decryptJwe(jwe, kept!.privateKey)).toBe('hello')

      await rotateDecryptionKeys(home)
      expect((await keys(kind)).map(each => each.kid)).not.toContain(first.kid)
      const file = join(home, `encryption-key-${kind.toLowerCase()}.pem`)
      expect(statSync(file).mode & 0o777).toBe(0o600)
      expect(readFileSync(file, 'utf8').match(/BEGIN PRIVATE KEY/g)).toHaveLength(2)
      // Another program reads the same keys.
      expect((await labDecryptionKeys(home)(kind)).map(each => each.kid)).toEqual(
        (await keys(kind)).map(each => each.kid),
      )
    },
  )

  it('are made by no rotation', async () => {
    expect(await rotateDecryptionKeys(home)).toEqual([])
    expect(existsSync(join(home, 'encryption-key-rsa.pem'))).toBe(false)
  })
})
