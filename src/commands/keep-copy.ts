import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeState } from '../lab/state-folder.js'

/** Ours by its name: the state folder stays closed to other users. */
const NAME = 'lab-copied.txt'

/** Writes what a screen copied into the state folder. @returns its path, with `~` for the person's own folder */
export async function keepCopy(home: string, text: string): Promise<string> {
  await writeState(home, NAME, text)
  const path = join(home, NAME)
  const own = homedir()
  return path.startsWith(`${own}/`) ? `~${path.slice(own.length)}` : path
}
