import { randomBytes } from 'node:crypto'
import { readState, type StateHome, writeState } from './state-folder.js'

const FILE = 'signing-secret'

/** The secret of the shared-secret stage: 256 random bits as text, kept in the state folder (0600), made on first use. */
export async function ensureSigningSecret(home: StateHome): Promise<string> {
  const kept = (await readState(home, FILE))?.trim()
  if (kept !== undefined && Buffer.byteLength(kept) >= 32) return kept
  const made = `${randomBytes(32).toString('base64url')}\n`
  return (await writeState(home, FILE, made, { exclusive: kept === undefined })).trim()
}
