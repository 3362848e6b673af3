import { homedir } from 'node:os'
import { join } from 'node:path'
import { writeState } from '../../lab/state/state-folder.js'
import { takesClipboard } from '../../show/tui/screen/clipboard.js'
import { writeNewFile } from './new-file.js'

/** Ours by its name: the state folder stays closed to other users. */
const NAME = 'lab-copied.txt'

/** Writes what a screen copied into the state folder. @returns its path, with `~` for the home folder of the user */
export async function keepCopy(home: string, text: string): Promise<string> {
  await writeState(home, NAME, text)
  const path = join(home, NAME)
  const own = homedir()
  return path.startsWith(`${own}/`) ? `~${path.slice(own.length)}` : path
}

/** The offers of every screen about files and the clipboard. `home` is the state folder. */
export const screenOffers = (home: string) => ({
  save: writeNewFile,
  keepCopy: (text: string) => keepCopy(home, text),
  clipboard: takesClipboard(process.env),
})
