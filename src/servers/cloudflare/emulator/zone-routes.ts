import type { ApiRoutes } from './api.js'
import { success } from './envelope.js'
import { pageOf } from './pages.js'
import { settingRoutes } from './setting-routes.js'
import { dnsSettings, NO_DNSSEC } from './zone-settings.js'
import type { ZonePorts, ZoneState } from './zones.js'

/** The page sizes for lists of rules. */
const PAGES = { usual: 25, max: 100 }

const plan = ({ zone }: ZoneState): object => {
  const { id, name, price, currency } = zone.plan as { readonly [member: string]: unknown }
  const shown = { id, name, price, currency, frequency: '', legacy_id: 'pro' }
  return {
    ...shown,
    is_subscribed: true,
    can_subscribe: true,
    legacy_discount: false,
    externally_managed: false,
  }
}

/** Lists of rules that a lab's zones do not have: clients ask for them before they change records. */
const noRules: ApiRoutes[string] = {
  GET({ query }) {
    const { results, info } = pageOf([], query, PAGES)
    return success(results, info)
  },
}

/** The routes about a zone as a whole that clients of records read: settings, DNSSEC, plans, and rules, of which there are none. */
export function zoneRoutes(ports: Pick<ZonePorts, 'now'>): ApiRoutes {
  return {
    ...settingRoutes(ports),
    '/zones/:zone/dnssec': { GET: () => success(NO_DNSSEC) },
    '/zones/:zone/dns_settings': {
      GET({ state: { zone } }) {
        const [server = ''] = zone.name_servers as readonly string[]
        return success(dnsSettings(server, zone.name))
      },
    },
    '/zones/:zone/available_plans': { GET: ({ state }) => success([plan(state)]) },
    '/zones/:zone/pagerules': { GET: () => success([]) },
    '/zones/:zone/firewall/rules': noRules,
    '/zones/:zone/rulesets': { GET: () => success([]) },
  }
}
