import type { Command } from 'commander'
import { carryOut } from '../../cloudflare/client/carry-out.js'
import { ClientRefusal } from '../../cloudflare/client/dns-client-errors.js'
import type { Change } from '../../cloudflare/client/plan.js'
import { checkSelection, type Selector, selectRecords } from '../../cloudflare/client/select-records.js'
import { matchLines } from '../../render/dns-matches.js'
import { doneLines, dryRunLines, planLines } from '../../render/dns-plan.js'
import { signsFor } from '../../render/signs.js'
import { answeredYes } from '../confirm.js'
import { readGlobals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { narrateEnd, withAccount } from './account.js'
import type { AccountFlags } from './options.js'

/** Flags of `cf dns delete`. */
export interface DeleteFlags extends AccountFlags, Selector {
  readonly all?: true
  readonly yes?: true
  readonly dryRun?: true
}

/** @throws UsageError without a terminal to ask on; ClientRefusal for any answer but yes, UserError for Ctrl-C */
async function confirm(count: number): Promise<void> {
  const yes = await answeredYes({
    text: count === 1 ? 'Delete it?' : `Delete these ${count} records?`,
    otherwise: 'nothing was deleted',
    hints: ['Delete without being asked:   --yes', 'See what it would be:         --dry-run'],
  })
  if (!yes) throw new ClientRefusal('nothing was deleted')
}

/** `cf dns delete`: deletes the selected records. */
export async function deleteRecords(
  ids: readonly string[],
  flags: DeleteFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
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
      await confirm(records.length)
    }
    await carryOut(account.service, zone.id, changes)
    if (globals.json) return printJson({ deleted: records })
    print(...doneLines(changes, signs))
    narrateEnd(account)
  })
}
