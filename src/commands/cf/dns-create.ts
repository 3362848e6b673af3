import { makeSafe } from '../../protocol/safe-output/safe.js'
import { addRecord, checkConflicts, planCreate } from '../../servers/cloudflare/client/one-record.js'
import { dryRunLines } from '../../show/render/dns/dns-plan.js'
import { recordLine } from '../../show/render/dns/dns-records.js'
import { signsFor } from '../../show/render/text/signs.js'
import { print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { narrateEnd, withAccount } from './account.js'
import type { RecordFlags } from './options.js'
import { givenRecord } from './record-options.js'

/** `cf dns create`: adds a record. */
export async function createRecord(flags: RecordFlags, globals: Globals): Promise<void> {
  const signs = signsFor(globals)
  const given = givenRecord(flags)
  await withAccount(flags, globals, async account => {
    const zone = await account.zone([flags.name])
    if (flags.dryRun) {
      const plan = await planCreate(account.service, zone, given)
      checkConflicts(plan)
      if (!globals.json) return print(...dryRunLines(plan.change ? [plan.change] : [], signs))
      return printJson({ outcome: 'created', dry_run: true, record: plan.wanted.fields })
    }
    const record = await addRecord(account.service, zone, given)
    if (globals.json) return printJson(record)
    print(`created ${recordLine(record, signs)}   id ${makeSafe(record.id)}`)
    narrateEnd(account)
  })
}
