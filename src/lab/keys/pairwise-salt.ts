import type { PairwiseSalt } from '../../servers/authorization-server/pairwise/subjects.js'
import { readState, type StateHome, writeState } from '../state/state-folder.js'

const FILE = 'pairwise-salt'

/** Makes the salt, 0600, when a pairwise client is first used. */
export function labPairwiseSalt(home: StateHome, random: (length: number) => Uint8Array): PairwiseSalt {
  return async () => {
    const kept = await readState(home, FILE)
    // Of two programs that start at the same time one makes the salt, and both use it.
    const made = () => Buffer.from(random(32)).toString('base64url')
    const text = kept ?? (await writeState(home, FILE, made(), { exclusive: true }))
    return Buffer.from(text, 'base64url')
  }
}
