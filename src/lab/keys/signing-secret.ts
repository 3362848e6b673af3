import { randomBytes } from 'node:crypto'
import { readState, type StateHome, writeState } from '../state/state-folder.js'

const FILE = 'signing-secret'

/** The secret of the shared-secret stage: 256 random bits as text, made on first use (0600). */
export async function ensureSigningSecret(home: StateHome): Promise<string> {
  const kept = (await readState(home, FILE))?.trim()
  if (kept !== undefined && Buffer.byteLength(kept) >= 32) return kept
  const made = `${randomBytes(32).toString('base64url')}\n`
  return (await writeState(home, FILE, made, { exclusive: kept === undefined })).trim()
}
