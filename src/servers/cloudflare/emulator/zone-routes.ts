import { isJsonObject } from '../../../protocol/values.js'
import { objectOf, pageOf, refusal, success } from './answers.js'
import type { ApiRoutes } from './router.js'
import type { EmulatorSettings } from './settings.js'
import { dnsSettings, NO_DNSSEC, ZONE_SETTINGS, type ZoneSetting } from './zone-settings.js'
import { ACCOUNT, type ChangedSettings, type ZonePorts, type ZoneState } from './zones.js'

/** The page sizes for lists of rules. */
const RULE_PAGES = { usual: 25, max: 100 }

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
    const { results, info } = pageOf([], query, RULE_PAGES)
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

const TOKEN_ID = '1ab0000000000000000000000000000c'
const USER_ID = '1ab0000000000000000000000000000b'
const SINCE = '2026-01-01T00:00:00.000000Z'

/** The page sizes for zones and accounts. */
const ZONE_PAGES = { usual: 20, max: 50 }

const invalidToken = () => refusal(401, 1000, 'Invalid API Token')

/** The routes for zones, accounts and the identity of the caller, which clients request first. */
export function accountRoutes({ email }: EmulatorSettings, zones: ReadonlyMap<string, ZoneState>): ApiRoutes {
  const account = { ...ACCOUNT, type: 'standard', settings: { enforce_twofactor: false }, created_on: SINCE }
  const user = {
    id: USER_ID,
    email,
    username: email.split('@', 1)[0],
    first_name: null,
    last_name: null,
    telephone: null,
    country: null,
    zipcode: null,
    two_factor_authentication_enabled: false,
    two_factor_authentication_locked: false,
    created_on: SINCE,
    modified_on: SINCE,
    organizations: [],
    suspended: false,
  }
  const verify: ApiRoutes[string] = {
    GET({ credentials, publish }) {
      if (credentials !== 'token') throw invalidToken()
      publish({ type: 'dns.token_verified' })
      const message = { code: 10000, message: 'This API Token is valid and active', type: null }
      return success({ id: TOKEN_ID, status: 'active' }, undefined, [message])
    },
  }
  return {
    '/zones': {
      GET({ query, publish }) {
        const name = query.get('name')?.toLowerCase()
        const status = query.get('status')
        const found = [...zones.values()]
          .map(({ zone }) => zone)
          .filter(zone => (!name || zone.name === name) && (!status || zone.status === status))
        const { results, info } = pageOf(found, query, ZONE_PAGES)
        publish({ type: 'dns.zones_read', count: results.length })
        return success(results, info)
      },
    },
    '/zones/:zone': {
      GET({ state, publish }) {
        publish({ type: 'dns.zones_read', count: 1 })
        return success(state.zone)
      },
    },
    '/user': { GET: () => success(user) },
    '/accounts': {
      GET({ query }) {
        const { results, info } = pageOf([account], query, ZONE_PAGES)
        return success(results, info)
      },
    },
    '/accounts/:account': {
      GET({ ids }) {
        if (ids.account !== account.id) throw refusal(403, 10000, 'Authentication error')
        return success(account)
      },
    },
    '/user/tokens/verify': verify,
    '/accounts/:account/tokens/verify': verify,
  }
}

/** True for paths that report an unknown token as invalid. Other paths report missing access. */
export const verifiesTokens = (path: string): boolean => path.endsWith('/tokens/verify')

export { invalidToken }

const named = (id: unknown): ZoneSetting | undefined => ZONE_SETTINGS.find(each => each.id === id)

/** A setting as it is shown. `modified_on` is null until somebody changes it. */
const shown = ({ id, value, editable }: ZoneSetting, { settings }: ZoneState): object => ({
  id,
  value,
  modified_on: null,
  ...settings.get(id),
  editable,
})

/** Returns the setting of a path. @throws Refusal */
function settingOf(id: string): ZoneSetting {
  const setting = named(id)
  if (setting === undefined) throw refusal(400, 1003, `Undefined zone setting: ${id.slice(0, 100)}`)
  return setting
}

/** Merges the given members of an object into those that it has, as for HSTS. */
function merged(before: unknown, given: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(given)) return given
  return Object.fromEntries(
    Object.entries(before).map(([name, value]) => [
      name,
      Object.hasOwn(given, name) ? merged(value, given[name]) : value,
    ]),
  )
}

/**
 * Changes one setting in a copy of the changed ones.
 * @throws Refusal for a setting that the plan fixes, and for a value that the service does not accept
 */
function change(
  { id, value: first, editable, accepts }: ZoneSetting,
  value: unknown,
  changed: Map<string, { readonly value: unknown; readonly modified_on: string }>,
  now: number,
): void {
  if (!editable) throw refusal(400, 1057, `${id} cannot be modified for this zone`)
  if (!accepts(value)) throw refusal(400, 1007, `Invalid value for zone setting ${id}`)
  const before = changed.get(id)?.value ?? first
  changed.set(id, { value: merged(before, value), modified_on: new Date(now).toISOString() })
}

/** Returns the settings that a change of several names, once each. @throws Refusal */
function itemsOf(given: unknown): { readonly setting: ZoneSetting; readonly value: unknown }[] {
  if (!Array.isArray(given)) throw refusal(400, 1004, "Missing 'items'")
  return given.slice(0, ZONE_SETTINGS.length).map(item => {
    const { id, value } = isJsonObject(item) ? item : {}
    const setting = named(id)
    if (setting === undefined) {
      throw refusal(400, 1006, `Unrecognized zone setting name: ${String(id).slice(0, 100)}`)
    }
    return { setting, value }
  })
}

/** The routes for the settings of a zone. A change of several settings is made whole, or not at all. */
function settingRoutes({ now }: Pick<ZonePorts, 'now'>): ApiRoutes {
  return {
    '/zones/:zone/settings': {
      GET: ({ state }) => success(ZONE_SETTINGS.map(each => shown(each, state))),
      PATCH({ state, request }) {
        const items = itemsOf(objectOf(request).items)
        const changed = new Map(state.settings)
        for (const { setting, value } of items) change(setting, value, changed, now())
        state.settings = changed satisfies ChangedSettings
        return success(items.map(({ setting }) => shown(setting, state)))
      },
    },
    '/zones/:zone/settings/*setting': {
      GET: ({ ids, state }) => success(shown(settingOf(ids.setting!), state)),
      PATCH({ ids, state, request }) {
        const setting = settingOf(ids.setting!)
        const changed = new Map(state.settings)
        change(setting, objectOf(request).value, changed, now())
        state.settings = changed
        return success(shown(setting, state))
      },
    },
  }
}
