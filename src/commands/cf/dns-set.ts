import { carryOut } from '../../servers/cloudflare/client/carry-out.js'
import { checkConflicts, planSet } from '../../servers/cloudflare/client/one-record.js'
import { matchLines } from '../../show/render/dns/dns-matches.js'
import { doneLines, dryRunLines } from '../../show/render/dns/dns-plan.js'
import { recordLine } from '../../show/render/dns/dns-records.js'
import { signsFor } from '../../show/render/text/signs.js'
import { print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { narrateEnd, withAccount } from './account.js'
import type { RecordFlags } from './options.js'
import { givenRecord } from './record-options.js'

const outcomes = { add: 'created', change: 'updated', delete: 'deleted', none: 'unchanged' } as const

/** `cf dns set`: adds a record or changes it, and says which. */
export async function setRecord(flags: RecordFlags, globals: Globals): Promise<void> {
  const signs = signsFor(globals)
  const given = givenRecord(flags)
  await withAccount(flags, globals, async account => {
    const { service } = account
    const zone = await account.zone([flags.name])
    const plan = await planSet(service, zone, given, matchLines)
    const { change, before, wanted, differences } = plan
    const changes = change ? [change] : []
    if (flags.dryRun) checkConflicts(plan)
    const after = flags.dryRun ? undefined : await carryOut(service, zone.id, changes)
    const record = before ?? wanted.fields
    if (globals.json) {
      return printJson({
        outcome: outcomes[change?.action ?? 'none'],
        ...(flags.dryRun && { dry_run: true }),
        record: after ?? record,
        ...(differences.length > 0 && { differences }),
      })
    }
    if (flags.dryRun) {
      return print(...(change ? [] : [`  ${recordLine(record, signs)}`]), ...dryRunLines(changes, signs))
    }
    if (change === undefined) return print(`unchanged ${recordLine(record, signs)}`)
    print(...doneLines(changes, signs))
    narrateEnd(account)
  })
}
