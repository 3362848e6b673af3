import type { Command } from 'commander'
import { allZones } from '../../cloudflare/client/zones.js'
import type { Zone } from '../../cloudflare/shapes.js'
import { columns } from '../../render/kubernetes/columns.js'
import { makeSafe } from '../../render/safe.js'
import { readGlobals } from '../globals.js'
import { print } from '../output.js'
import { type ListForm, listFormOf, listText } from './list-form.js'
import { withService } from './target.js'
import type { TargetFlags } from './target-options.js'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const nameServers = ({ name_servers: servers }: Zone): string =>
  (Array.isArray(servers) ? servers : []).map(text).join(' ')

/** `cf zones`: the zones that the credentials reach. */
export async function listZones(
  flags: TargetFlags & { readonly output?: ListForm },
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  const form = listFormOf(flags.output, globals)
  await withService(flags, globals, async ({ service }) => {
    const zones = await allZones(service)
    if (form === 'table' || form === 'bind') {
      const rows = zones.map(zone => [zone.name, zone.id, text(zone.status), nameServers(zone)].map(cell))
      print(...columns([['NAME', 'ID', 'STATUS', 'NAME SERVERS'], ...rows]))
    } else {
      const csv = listText(form, zones, [
        ['name', ({ name }) => name],
        ['id', ({ id }) => id],
        ['status', ({ status }) => text(status)],
        ['name_servers', nameServers],
      ])
      process.stdout.write(csv)
    }
  })
}

const cell = (value: string): string => makeSafe(value) || '-'
