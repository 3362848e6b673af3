import type { Command } from 'commander'
import { carryOut } from '../../cloudflare/client/carry-out.js'
import type { Change } from '../../cloudflare/client/plan.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import type { DnsRecord } from '../../cloudflare/shapes.js'
import { UsageError } from '../../errors.js'
import { doneLines, planLines, toDoText } from '../../render/dns-plan.js'
import { signsFor } from '../../render/signs.js'
import { readGlobals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { confirmed } from './confirm.js'
import { matchLines } from './matches.js'
import { recordsOfIds, recordsThatMatch, type Selector, selectorText } from './select-records.js'
import { withService } from './target.js'
import type { TargetFlags } from './target-options.js'
import { tellEnd } from './tell-end.js'

/** Flags of `cf dns delete`. */
export interface DeleteFlags extends TargetFlags, Selector {
  readonly all?: true
  readonly yes?: true
  readonly dryRun?: true
}

/** @throws UsageError where it is not said which records are meant, or in two ways */
function checkSelection(ids: readonly string[], flags: DeleteFlags): void {
  const selects = [flags.type, flags.name, flags.content].some(each => each !== undefined)
  if (ids.length > 0 && (selects || flags.all)) {
    throw new UsageError('identifiers and what records are like are two ways to choose them', [
      'Leave one out',
    ])
  }
  if (ids.length === 0 && !selects) {
    throw new UsageError('which records? Nothing is deleted without an id, --type, --name or --content', [
      'Those there are:   oauth-lab cf dns list',
    ])
  }
}

/** @throws ClientRefusal for no match, and for several without `--all` */
function checkMatches(records: readonly DnsRecord[], flags: DeleteFlags): void {
  const text = selectorText(flags)
  if (records.length === 0) throw new ClientRefusal(`no record matches ${text}`)
  if (records.length > 1 && !flags.all) {
    throw new ClientRefusal(
      `${records.length} records match ${text}; name one by id or add --all:`,
      matchLines(records),
    )
  }
}

/** `cf dns delete`: deletes the records that were named, and never more than was meant. */
export async function deleteRecords(
  ids: readonly string[],
  flags: DeleteFlags,
  command: Command,
): Promise<void> {
  const globals = readGlobals(command)
  checkSelection(ids, flags)
  const signs = signsFor(globals)
  await withService(flags, globals, async reached => {
    const { service } = reached
    const zone = await reached.zone(flags.name === undefined ? [] : [flags.name])
    const records =
      ids.length > 0 ? await recordsOfIds(service, zone, ids) : await recordsThatMatch(service, zone, flags)
    if (ids.length === 0) checkMatches(records, flags)
    const changes = records.map((before): Change => ({ action: 'delete', before }))
    if (flags.dryRun) {
      if (globals.json) return printJson({ deleted: [], dry_run: true, records })
      return print(...planLines(changes, signs), `${toDoText(changes)} Nothing was sent (--dry-run).`)
    }
    if (!flags.yes) {
      for (const line of planLines(changes, signs)) narrate(line)
      await confirmed(records.length === 1 ? 'Delete it?' : `Delete these ${records.length} records?`)
    }
    await carryOut(service, zone.id, changes)
    if (globals.json) return printJson({ deleted: records })
    print(...doneLines(changes, signs))
    tellEnd(reached)
  })
}
