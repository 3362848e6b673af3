import { browse } from '../../client/open-browser.js'
import { LISTENERS } from '../../lab/listening/listeners.js'
import { programVersion } from '../../protocol/version.js'
import type { DashboardOffers } from '../../show/tui/serve/keys.js'
import { screenOffers } from '../output/screen-offers.js'

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
