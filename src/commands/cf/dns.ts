import { UsageError } from '../../protocol/errors.js'
import { ClientRefusal } from '../../servers/cloudflare/client/api.js'
import { carryOut } from '../../servers/cloudflare/client/carry-out.js'
import {
  type Change,
  checkDeletions,
  planChanges,
  planProblems,
} from '../../servers/cloudflare/client/plan.js'
import { readRecordFile, throwConflicts } from '../../servers/cloudflare/client/record-file.js'
import { listRecords } from '../../servers/cloudflare/client/records.js'
import { nameOfZone } from '../../servers/cloudflare/client/zones.js'
import { readFileOrStdin } from '../../session/input/input.js'
import { countText, doneLines, planJson, planLines, restText } from '../../show/render/dns/dns-plan.js'
import { signsFor } from '../../show/render/text/signs.js'
import { narrate, print, printJson } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { narrateEnd, withAccount } from './account.js'
import { confirmDeletion } from './confirm-deletion.js'
import type { ApplyFlags } from './options.js'

const isDeletion = ({ action }: Change): boolean => action === 'delete'

/** `cf dns apply`: plans how a zone gets the records of a file, and carries the plan out. */
export async function applyFile(file: string, flags: ApplyFlags, globals: Globals): Promise<void> {
  const signs = signsFor(globals)
  const text = await readFileOrStdin('the records', file)
  const read = await readRecordFile(file === '-' ? 'stdin' : file, text)
  await withAccount(flags, globals, async account => {
    const zone = await account.zone(read.names)
    const name = nameOfZone(zone)
    const wanted = read.records(name)
    if (wanted.length === 0 && flags.prune) {
      throw new UsageError(`${read.name} has no records: --prune would empty the zone ${name}`)
    }
    const rules = { zone: name, prune: flags.prune === true }
    const plan = planChanges(await listRecords(account.service, zone.id), wanted, rules)
    const { changes } = plan
    throwConflicts(read.name, planProblems(plan))
    if (flags.dryRun) {
      if (flags.exitCode && changes.length > 0) process.exitCode = EXIT.refused
      narrateLimit(() => checkDeletions(plan, name, flags.maxDelete))
      if (globals.json) return printJson(planJson(name, plan, false))
      const counts = `${countText(changes, 'planned')}${restText(plan, flags)} Nothing was sent.`
      return print(...planLines(changes, signs), counts)
    }
    checkDeletions(plan, name, flags.maxDelete)
    const deletions = changes.filter(isDeletion)
    const asks = deletions.length > 0 && !flags.yes
    if (!globals.json || asks) for (const line of planLines(changes, signs)) narrate(line)
    if (asks) await confirmDeletion(deletions.length, 'nothing was changed')
    await carryOut(account.service, zone.id, changes)
    if (globals.json) return printJson(planJson(name, plan, true))
    print(...doneLines(changes, signs), countText(changes, 'done') + restText(plan, flags))
    if (changes.length > 0) narrateEnd(account)
  })
}

/** Prints the refusal of `apply` beside a plan that is only shown. */
function narrateLimit(check: () => void): void {
  try {
    check()
  } catch (error) {
    if (!(error instanceof ClientRefusal)) throw error
    narrate(`apply would refuse this: ${error.message}`)
  }
}

/** `cf dns diff`: the plan alone. */
export const diffFile = (file: string, flags: ApplyFlags, globals: Globals): Promise<void> =>
  applyFile(file, { ...flags, dryRun: true }, globals)
