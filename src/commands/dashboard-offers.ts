import { browse } from '../client/open-browser.js'
import type { DashboardOffers } from '../tui/serve/offers.js'
import { programVersion } from '../version.js'
import { screenOffers } from './screen-offers.js'

/** The offers of every dashboard; `rotate` is for the lab of this process alone. */
export function dashboardOffers(home: string, rotate: DashboardOffers['rotate']): DashboardOffers {
  return {
    rotate,
    browse: url => browse(url, process.env, process.platform),
    ...screenOffers(home),
    version: programVersion(),
  }
}
