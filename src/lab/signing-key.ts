import { readFile } from 'node:fs/promises'
import { UsageError } from '../errors.js'
import { generateSigningKeyPem, loadSigningKey, type SigningKey } from '../tokens/keys.js'
import { readState, writeState } from './state-folder.js'

const FILE = 'signing-key.pem'

/**
 * The key that signs tokens: the lab file's own, else the one kept in the state folder, made on first use.
 * @param file absolute path of the lab file's `signing_key_file`
 * @throws UsageError where the named file holds no RSA key
 */
export async function ensureSigningKey(home: string, file?: string): Promise<SigningKey> {
  if (file !== undefined) return loadNamed(file)
  const kept = await readState(home, FILE)
  if (kept !== undefined) {
    try {
      return await loadSigningKey(kept)
    } catch {
      // A broken key has no value left; tokens signed with it expire unverified.
      return loadSigningKey(await writeState(home, FILE, await generateSigningKeyPem()))
    }
  }
  return loadSigningKey(await writeState(home, FILE, await generateSigningKeyPem(), { exclusive: true }))
}

async function loadNamed(file: string): Promise<SigningKey> {
  try {
    return await loadSigningKey(await readFile(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT'
        ? 'there is no such file'
        : code?.startsWith('ERR_')
          ? 'it is no PKCS#8 PEM key'
          : message
    throw new UsageError(`signing_key_file ${file}: ${why}`, [
      `Make one:  openssl genpkey -algorithm RSA -pkeyopt rsa_keygen_bits:2048 -out ${file}`,
    ])
  }
}
