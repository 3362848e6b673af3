import type { Command } from 'commander'
import { carryOut } from '../../cloudflare/client/carry-out.js'
import { type Plan, planChanges } from '../../cloudflare/client/plan.js'
import { planProblems } from '../../cloudflare/client/plan-check.js'
import { listRecords } from '../../cloudflare/client/records.js'
import { nameOfZone } from '../../cloudflare/client/zones.js'
import { UsageError } from '../../errors.js'
import { changeJson, didText, doneLines, planLines, restText, toDoText } from '../../render/dns-plan.js'
import { signsFor } from '../../render/signs.js'
import { type Globals, readGlobals } from '../globals.js'
import { narrate, print, printJson } from '../output.js'
import { readRecordFile, throwConflicts } from './record-file.js'
import { withService } from './target.js'
import type { TargetFlags } from './target-options.js'
import { tellEnd } from './tell-end.js'

/** Flags of `cf dns diff` and `cf dns apply`. */
export interface ApplyFlags extends TargetFlags {
  readonly prune?: true
  readonly dryRun?: true
}

const sentence = (...parts: readonly string[]): string => parts.filter(part => part !== '').join(' ')

function planJson(zone: string, plan: Plan, applied: boolean): object {
  const { changes, unchanged, extra } = plan
  return {
    zone,
    applied,
    changes: changes.map(changeJson),
    unchanged: unchanged.length,
    only_in_zone: extra,
  }
}

function printPlan(plan: Plan, flags: ApplyFlags, globals: Globals): void {
  print(
    ...planLines(plan.changes, signsFor(globals)),
    sentence(toDoText(plan.changes), restText(plan, flags), 'Nothing was sent.'),
  )
}

/** `cf dns diff` and `cf dns apply`: what has to be done so that a zone has the records of a file, and does it. */
export async function applyFile(file: string, flags: ApplyFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const signs = signsFor(globals)
  const read = await readRecordFile(file)
  await withService(flags, globals, async reached => {
    const { service } = reached
    const zone = await reached.zone(read.names)
    const zoneName = nameOfZone(zone)
    const wanted = read.records(zoneName)
    if (wanted.length === 0 && flags.prune) {
      throw new UsageError(`${read.name} has no records: --prune would empty the zone ${zoneName}`)
    }
    const rules = { zone: zoneName, prune: flags.prune === true }
    const plan = planChanges(await listRecords(service, zone.id), wanted, rules)
    throwConflicts(read.name, planProblems(plan))
    if (flags.dryRun) {
      if (globals.json) printJson(planJson(zoneName, plan, false))
      else printPlan(plan, flags, globals)
      return
    }
    if (!globals.json) for (const line of planLines(plan.changes, signs)) narrate(line)
    await carryOut(service, zone.id, plan.changes)
    if (globals.json) return printJson(planJson(zoneName, plan, true))
    print(...doneLines(plan.changes, signs), sentence(didText(plan.changes), restText(plan, flags)))
    if (plan.changes.length > 0) tellEnd(reached)
  })
}
