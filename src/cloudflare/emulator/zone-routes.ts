import type { ApiRoutes } from './api.js'
import { success } from './envelope.js'
import { pageOf } from './pages.js'
import { refusal } from './refusal.js'
import { dnsSettings, NO_DNSSEC, ZONE_SETTINGS } from './zone-settings.js'
import type { ZoneState } from './zones.js'

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

/** A setting as it is shown. `modified_on` is null until somebody changes it. */
const shown = ({ id, value, editable }: (typeof ZONE_SETTINGS)[number]): object => ({
  id,
  value,
  modified_on: null,
  editable,
})

/** Lists of rules that a lab's zones do not have: clients ask for them before they change records. */
const noRules: ApiRoutes[string] = {
  GET({ query }) {
    const { results, info } = pageOf([], query, PAGES)
    return success(results, info)
  },
}

/** The routes about a zone as a whole that clients of records read: settings, DNSSEC, plans, and rules, of which there are none. */
export function zoneRoutes(): ApiRoutes {
  return {
    '/zones/:zone/settings': { GET: () => success(ZONE_SETTINGS.map(shown)) },
    '/zones/:zone/settings/*setting': {
      GET({ ids }) {
        const setting = ZONE_SETTINGS.find(({ id }) => id === ids.setting)
        if (setting === undefined)
          throw refusal(400, 1003, `Undefined zone setting: ${ids.setting!.slice(0, 100)}`)
        return success(shown(setting))
      },
    },
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
