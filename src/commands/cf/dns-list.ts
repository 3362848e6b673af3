import { makeSafe } from '../../protocol/safe-output/safe.js'
import { listRecords } from '../../servers/cloudflare/client/records.js'
import { exportZone, zoneLabel } from '../../servers/cloudflare/client/zones.js'
import { RECORD_COLUMNS, recordTable } from '../../show/render/dns/dns-records.js'
import { listText } from '../../show/render/text/list-text.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, terminalColumns } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { withAccount } from './account.js'
import { type AccountFlags, listFormOf, type RecordSearch } from './options.js'
import { recordQuery } from './record-query.js'

/** `cf dns list`: the records of a zone, all pages. */
export async function listRecordsOf(flags: RecordSearch & AccountFlags, globals: Globals): Promise<void> {
  const form = listFormOf(flags.output, globals)
  const query = recordQuery(flags)
  await withAccount(flags, globals, async account => {
    const zone = await account.zone(flags.name === undefined ? [] : [flags.name])
    const records = await listRecords(account.service, zone.id, query(zone.name))
    if (form === 'bind')
      process.stdout.write(exportZone(zone, records, account.now(), text => makeSafe(text)))
    else if (form !== 'table') process.stdout.write(listText(form, records, RECORD_COLUMNS))
    else if (records.length === 0) narrate(`No record of ${makeSafe(zoneLabel(zone))} matches.`)
    else print(...recordTable(records, signsFor(globals), terminalColumns()))
  })
}
