import { openBrowser } from '../client/open-browser.js'
import { takesClipboard } from '../tui/screen/clipboard.js'
import type { DashboardOffers } from '../tui/serve/offers.js'
import { programVersion } from '../version.js'
import { keepCopy } from './keep-copy.js'
import { writeNewFile } from './new-file.js'

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

/** The offers of every dashboard; `rotate` is for the lab of this process alone. */
export function dashboardOffers(home: string, rotate: DashboardOffers['rotate']): DashboardOffers {
  return {
    rotate,
    browse,
    save: writeNewFile,
    keepCopy: text => keepCopy(home, text),
    version: programVersion(),
    clipboard: takesClipboard(process.env),
  }
}
