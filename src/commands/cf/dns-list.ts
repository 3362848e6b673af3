import type { Command } from 'commander'
import { listRecords } from '../../cloudflare/client/records.js'
import { nameOfZone, zoneLabel } from '../../cloudflare/client/zones.js'
import { zoneText } from '../../cloudflare/records/zone-text.js'
import type { DnsRecord, Zone } from '../../cloudflare/shapes.js'
import type { CsvValue } from '../../render/csv.js'
import { recordTable } from '../../render/dns-records.js'
import { makeSafe } from '../../render/safe.js'
import { signsFor } from '../../render/signs.js'
import { readGlobals } from '../globals.js'
import { narrate, print } from '../output.js'
import { filterQuery, type ListFlags } from './dns-filters.js'
import { listFormOf, listText } from './list-form.js'
import { withService } from './target.js'

const csvColumns: readonly (readonly [string, (record: DnsRecord) => CsvValue])[] = [
  ['id', ({ id }) => id],
  ['type', ({ type }) => type],
  ['name', ({ name }) => name],
  ['content', ({ content }) => content],
  ['priority', ({ priority }) => priority],
  ['ttl', ({ ttl }) => ttl],
  ['proxied', ({ proxied }) => proxied],
  ['comment', ({ comment }) => comment],
  ['tags', ({ tags }) => tags.join(' ')],
  ['created_on', ({ created_on: at }) => at],
  ['modified_on', ({ modified_on: at }) => at],
]

/** Lines of a zone file are lines: what a service put into names and comments is no way out of them. */
function inOneLine(record: DnsRecord): DnsRecord {
  const { type, name, content, comment, tags } = record
  return {
    ...record,
    name: makeSafe(name),
    content: type === 'TXT' ? content : makeSafe(content),
    comment: comment === null ? null : makeSafe(comment),
    tags: tags.map(tag => makeSafe(tag)),
  }
}

function zoneFile(zone: Zone, records: readonly DnsRecord[], now: number): string {
  const { name_servers: servers } = zone
  const nameServers = (Array.isArray(servers) ? servers : []).filter(each => typeof each === 'string')
  return zoneText(
    { name: nameOfZone(zone), nameServers: nameServers.map(each => makeSafe(each)) },
    records.map(inOneLine),
    now,
  )
}

/** `cf dns list`: the records of a zone, all pages. */
export async function listRecordsOf(flags: ListFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const form = listFormOf(flags.output, globals)
  const query = filterQuery(flags)
  await withService(flags, globals, async ({ service, zone, now }) => {
    const found = await zone(flags.name === undefined ? [] : [flags.name])
    const records = await listRecords(service, found.id, query(found.name))
    if (form === 'bind') process.stdout.write(zoneFile(found, records, now()))
    else if (form !== 'table') process.stdout.write(listText(form, records, csvColumns))
    else if (records.length === 0) narrate(`No record of ${makeSafe(zoneLabel(found))} matches.`)
    else {
      const signs = signsFor(globals)
      print(...recordTable(records, signs, process.stdout.isTTY ? process.stdout.columns || 80 : undefined))
    }
  })
}
