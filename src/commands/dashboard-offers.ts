import { openBrowser } from '../client/open-browser.js'
import type { DashboardOffers } from '../tui/serve/offers.js'
import { programVersion } from '../version.js'
import { screenOffers } from './screen-offers.js'

/** Opens an address. The notice names it when no browser starts. */
async function browse(url: string): Promise<string> {
  let problem: string | undefined
  await openBrowser(url, {
    env: process.env,
    platform: process.platform,
    onProblem: reported => {
      problem = reported
    },
  })
  return problem === undefined ? `opened ${url}` : `${problem}; open it yourself: ${url}`
}

/** The offers of every dashboard; `rotate` is for the lab of this process alone. */
export function dashboardOffers(home: string, rotate: DashboardOffers['rotate']): DashboardOffers {
  return {
    rotate,
    browse,
    ...screenOffers(home),
    version: programVersion(),
  }
}
