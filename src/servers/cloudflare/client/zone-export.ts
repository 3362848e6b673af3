import { zoneText } from '../records/zone-text.js'
import type { DnsRecord, Zone } from '../shapes.js'
import { nameOfZone } from './zones.js'

/**
 * Writes the records of a zone as a zone file. The texts of a service may hold line breaks and control characters; `makeSafe` replaces
 * them, so that each record stays on its line.
 * @param now milliseconds since the epoch
 * @throws ClientRefusal for a zone without a name
 */
export function exportZone(
  zone: Zone,
  records: readonly DnsRecord[],
  now: number,
  makeSafe: (text: string) => string,
): string {
  const { name_servers: servers } = zone
  const nameServers = (Array.isArray(servers) ? servers : []).filter(each => typeof each === 'string')
  const inOneLine = (record: DnsRecord): DnsRecord => {
    const { type, name, content, comment, tags } = record
    return {
      ...record,
      name: makeSafe(name),
      content: type === 'TXT' ? content : makeSafe(content),
      comment: comment === null ? null : makeSafe(comment),
      tags: tags.map(makeSafe),
    }
  }
  const named = { name: nameOfZone(zone), nameServers: nameServers.map(makeSafe) }
  return zoneText(named, records.map(inOneLine), now)
}
