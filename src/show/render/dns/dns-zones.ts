import { makeSafe } from '../../../protocol/safe-output/safe.js'
import type { Zone } from '../../../servers/cloudflare/shapes.js'
import { columns } from '../kubernetes/columns.js'
import type { CsvColumns } from '../text/list-text.js'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')

const nameServers = ({ name_servers: servers }: Zone): string =>
  (Array.isArray(servers) ? servers : []).map(text).join(' ')

/** The columns of a CSV of zones. */
export const ZONE_COLUMNS: CsvColumns<Zone> = [
  ['name', ({ name }) => name],
  ['id', ({ id }) => id],
  ['status', ({ status }) => text(status)],
  ['name_servers', nameServers],
]

/** Zones as a table. */
export function zoneTable(zones: readonly Zone[]): string[] {
  const rows = zones.map(zone => ZONE_COLUMNS.map(([, cell]) => makeSafe(String(cell(zone))) || '-'))
  return columns([['NAME', 'ID', 'STATUS', 'NAME SERVERS'], ...rows])
}
