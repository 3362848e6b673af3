import { carryOut } from '../../servers/cloudflare/client/carry-out.js'
import type { Change } from '../../servers/cloudflare/client/plan.js'
import { checkSelection, selectRecords } from '../../servers/cloudflare/client/records.js'
import { matchLines } from '../../show/render/dns/dns-matches.js'
import { doneLines, dryRunLines, planLines } from '../../show/render/dns/dns-plan.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printJson } from '../output/output.js'
import type { Globals } from '../program/globals.js'
import { narrateEnd, withAccount } from './account.js'
import { confirmDeletion } from './confirm-deletion.js'
import type { DeleteFlags } from './options.js'

/** `cf dns delete`: deletes the selected records. */
export async function deleteRecords(
  ids: readonly string[],
  flags: DeleteFlags,
  globals: Globals,
): Promise<void> {
  const signs = signsFor(globals)
  const selection = { ...flags, ids }
  checkSelection(selection)
  await withAccount(flags, globals, async account => {
    const zone = await account.zone(flags.name === undefined ? [] : [flags.name])
    const records = await selectRecords(account.service, zone, selection, matchLines)
    const changes = records.map((before): Change => ({ action: 'delete', before }))
    if (flags.dryRun) {
      if (globals.json) return printJson({ deleted: [], dry_run: true, records })
      return print(...dryRunLines(changes, signs))
    }
    if (!flags.yes) {
      for (const line of planLines(changes, signs)) narrate(line)
      await confirmDeletion(records.length, 'nothing was deleted')
    }
    await carryOut(account.service, zone.id, changes)
    if (globals.json) return printJson({ deleted: records })
    print(...doneLines(changes, signs))
    narrateEnd(account)
  })
}
