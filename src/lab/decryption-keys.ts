import {
  createDecryptionKeys,
  type DecryptionKeys,
  generateDecryptionKeyPem,
} from '../tokens/decryption-keys.js'
import { readState, type StateHome, writeState } from './state-folder.js'

/** Returns the keys of a state folder that clients encrypt to. Each is made, 0600, when it is first needed. */
export function labDecryptionKeys(home: StateHome): DecryptionKeys {
  return createDecryptionKeys(async kind => {
    const file = `encryption-key-${kind.toLowerCase()}.pem`
    const kept = await readState(home, file)
    // Of two programs that start at the same time one makes the key, and both use it.
    return kept ?? writeState(home, file, await generateDecryptionKeyPem(kind), { exclusive: true })
  })
}
