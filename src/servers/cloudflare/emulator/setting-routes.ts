import { isJsonObject } from '../../../protocol/values.js'
import type { ApiRoutes } from './api.js'
import { objectOf } from './body.js'
import { success } from './envelope.js'
import { refusal } from './refusal.js'
import { ZONE_SETTINGS, type ZoneSetting } from './zone-settings.js'
import type { ChangedSettings, ZonePorts, ZoneState } from './zones.js'

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
export function settingRoutes({ now }: Pick<ZonePorts, 'now'>): ApiRoutes {
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
