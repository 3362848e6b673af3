import type { Command } from 'commander'
import { planProblems } from '../../cloudflare/client/plan-check.js'
import { listRecords, readRecordAnswer, recordsPath } from '../../cloudflare/client/records.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import { creationBody, type Wanted } from '../../cloudflare/client/wanted.js'
import { planLines, toDoText } from '../../render/dns-plan.js'
import { recordLine } from '../../render/dns-records.js'
import { makeSafe } from '../../render/safe.js'
import { signsFor } from '../../render/signs.js'
import { type Globals, readGlobals } from '../globals.js'
import { print, printJson } from '../output.js'
import { checkedRecord, checkWithin, readableRecord } from './record-checks.js'
import { givenRecord, type RecordFlags } from './record-options.js'
import { type ReachedService, withService } from './target.js'
import { tellEnd } from './tell-end.js'

/** What would be made, checked as far as that can be without doing it. */
async function dryRun(wanted: Wanted, zone: string, { service }: ReachedService, globals: Globals) {
  const { fields } = wanted
  const beside = (await listRecords(service, zone, { name: fields.name })).filter(
    ({ name }) => name === fields.name,
  )
  const change = { action: 'add', wanted } as const
  const [problem] = planProblems({ changes: [change], unchanged: [], extra: beside })
  if (problem) throw new ClientRefusal(problem.message)
  if (globals.json) return printJson({ outcome: 'created', dry_run: true, record: fields })
  print(...planLines([change], signsFor(globals)), `${toDoText([change])} Nothing was sent (--dry-run).`)
}

/** `cf dns create`: makes a record. What the rules here do not know is sent as it was given: the service decides. */
export async function createRecord(flags: RecordFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  await withService(flags, globals, async reached => {
    const { service } = reached
    const zone = await reached.zone([flags.name])
    checkWithin(flags.name, zone)
    const given = givenRecord(flags)
    if (flags.dryRun) return dryRun(checkedRecord(given, zone.name), zone.id, reached, globals)
    const wanted = readableRecord(given, zone.name)
    const body = wanted ? creationBody(wanted) : { ttl: 1, proxied: false, ...given }
    const { result } = await service.request<unknown>({ method: 'POST', path: recordsPath(zone.id), body })
    const record = readRecordAnswer(result, service)
    if (globals.json) return printJson(record)
    print(`created ${recordLine(record, signsFor(globals))}   id ${makeSafe(record.id)}`)
    tellEnd(reached)
  })
}
