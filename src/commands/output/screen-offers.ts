import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'
import { browse } from '../../client/open-browser.js'
import { LISTENERS } from '../../lab/listening/listeners.js'
import { writeState } from '../../lab/state/state-folder.js'
import { fileProblem, NO_FOLDER, UsageError } from '../../protocol/errors.js'
import { programVersion } from '../../protocol/version.js'
import { takesClipboard } from '../../show/tui/screen/clipboard.js'
import type { DashboardOffers } from '../../show/tui/serve/keys.js'

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

/** No more files than these of one name. */
const MOST = 100

/**
 * Writes a file into the current folder, for its owner alone. One that was there before stays: the new one gets a
 * number.
 * @returns the name it got
 * @throws UsageError
 */
export async function writeNewFile(name: string, text: string): Promise<string> {
  const [, stem = name, ending = ''] = /^(.*)(\.\w+)$/.exec(name) ?? []
  for (let i = 1; i <= MOST; i++) {
    const file = i === 1 ? name : `${stem}-${i}${ending}`
    try {
      await writeFile(file, text, { flag: 'wx', mode: 0o600 })
      return isAbsolute(file) ? file : `./${file}`
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code !== 'EEXIST') throw new UsageError(`cannot write ./${file}: ${fileProblem(error, NO_FOLDER)}`)
    }
  }
  throw new UsageError(`cannot write ./${name}: there are ${MOST} of it`)
}

/** The offers of every dashboard; `rotate` and `remove` are for the lab of this process alone. */
export function dashboardOffers(
  home: string,
  own: Pick<DashboardOffers, 'rotate' | 'remove'>,
): DashboardOffers {
  return {
    ...own,
    browse: url => browse(url, process.env, process.platform),
    ...screenOffers(home),
    version: programVersion(),
    titles: Object.fromEntries(Object.entries(LISTENERS).map(([name, { title }]) => [name, title])),
  }
}
