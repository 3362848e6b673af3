import { allZones } from '../../servers/cloudflare/client/zones.js'
import { ZONE_COLUMNS, zoneTable } from '../../show/render/dns/dns-zones.js'
import { listText } from '../../show/render/text/list-text.js'
import { print } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withAccount } from './account.js'
import { type AccountFlags, type ListForm, listFormOf } from './options.js'

/** `cf zones`: the zones that the credentials reach. */
export async function listZones(
  flags: AccountFlags & { readonly output?: ListForm },
  globals: Globals,
): Promise<void> {
  const form = listFormOf(flags.output, globals)
  const zones = await withAccount(flags, globals, ({ service }) => allZones(service))
  if (form === 'table' || form === 'bind') print(...zoneTable(zones))
  else process.stdout.write(listText(form, zones, ZONE_COLUMNS))
}
