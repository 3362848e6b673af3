import type { EncryptionKeyKind } from '../../protocol/oauth/algorithms.js'
import {
  createDecryptionKeys,
  type DecryptionKeys,
  generateDecryptionKeyPem,
  loadDecryptionKeys,
} from '../../protocol/tokens/encryption.js'
import { alone, ensureState } from '../state/alone.js'
import { readState, type StateHome, stateVersion, writeState } from '../state/state-folder.js'

const fileOf = (kind: EncryptionKeyKind) => `encryption-key-${kind.toLowerCase()}.pem`

/** Makes a key, 0600, when it is first needed, and reads it again after `keys rotate`. */
export function labDecryptionKeys(home: StateHome): DecryptionKeys {
  return createDecryptionKeys({
    version: kind => stateVersion(home, fileOf(kind)),
    async open(kind) {
      return ensureState(home, fileOf(kind), String, () => generateDecryptionKeyPem(kind))
    },
  })
}

export interface RotatedDecryptionKey {
  readonly kid: string
  readonly kty: EncryptionKeyKind
  readonly retired: string
}

/** Makes a new key of each kind. The old one decrypts until the next rotation (OpenID Connect Core §10.2.1). */
export async function rotateDecryptionKeys(home: StateHome): Promise<readonly RotatedDecryptionKey[]> {
  const rotated = await Promise.all(
    (['RSA', 'EC'] as const).map(kind => alone(home, fileOf(kind), () => rotate(home, kind))),
  )
  return rotated.filter(each => each !== undefined)
}

async function rotate(home: StateHome, kty: EncryptionKeyKind): Promise<RotatedDecryptionKey | undefined> {
  const kept = await readState(home, fileOf(kty))
  if (kept === undefined) return undefined
  const [replaced] = await loadDecryptionKeys(kept)
  const pem = await generateDecryptionKeyPem(kty)
  const old = replaced.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const [{ kid }] = await loadDecryptionKeys(await writeState(home, fileOf(kty), `${pem.trimEnd()}\n${old}`))
  return { kid, kty, retired: replaced.kid }
}
