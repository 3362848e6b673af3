import { randomBytes } from 'node:crypto'
import { ensureState } from '../state/alone.js'
import type { StateHome } from '../state/state-folder.js'

const FILE = 'signing-secret'

/** The secret of the shared-secret stage: 256 random bits as text, made on first use (0600). */
export async function ensureSigningSecret(home: StateHome): Promise<string> {
  const read = (text: string) => (Buffer.byteLength(text.trim()) >= 32 ? text.trim() : undefined)
  return ensureState(home, FILE, read, () => `${randomBytes(32).toString('base64url')}\n`)
}
