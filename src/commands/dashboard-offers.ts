import { join } from 'node:path'
import { openBrowser } from '../client/open-browser.js'
import { writeState } from '../lab/state-folder.js'
import { takesClipboard } from '../tui/screen/clipboard.js'
import type { DashboardOffers } from '../tui/serve/offers.js'
import { writeNewFile } from './new-file.js'
import { programVersion } from './program-version.js'

/** Opens an address; says where it is when no browser starts. */
async function browse(url: string): Promise<string> {
  let problem: string | undefined
  await openBrowser(url, {
    env: process.env,
    platform: process.platform,
    onProblem: found => {
      problem = found
    },
  })
  return problem === undefined ? `opened ${url}` : `${problem}; open it yourself: ${url}`
}

/** What every dashboard can do; `rotate` is for the lab of this process alone. */
export function dashboardOffers(home: string, rotate: DashboardOffers['rotate']): DashboardOffers {
  return {
    rotate,
    browse,
    save: writeNewFile,
    keepCopy: async text => {
      await writeState(home, 'lab-copied.txt', text)
      return join(home, 'lab-copied.txt')
    },
    version: programVersion(),
    clipboard: takesClipboard(process.env),
  }
}
