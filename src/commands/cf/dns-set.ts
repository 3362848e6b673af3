import type { Command } from 'commander'
import { carryOut } from '../../cloudflare/client/carry-out.js'
import { differences } from '../../cloudflare/client/differences.js'
import type { Change } from '../../cloudflare/client/plan.js'
import { planProblems } from '../../cloudflare/client/plan-check.js'
import { listRecords } from '../../cloudflare/client/records.js'
import { ClientRefusal } from '../../cloudflare/client/refusal.js'
import { contentKey, type Wanted } from '../../cloudflare/client/wanted.js'
import { nameOfZone } from '../../cloudflare/client/zones.js'
import type { DnsRecord } from '../../cloudflare/shapes.js'
import { doneLines, planLines, toDoText } from '../../render/dns-plan.js'
import { recordLine } from '../../render/dns-records.js'
import { signsFor } from '../../render/signs.js'
import { readGlobals } from '../globals.js'
import { print, printJson } from '../output.js'
import { matchLines } from './matches.js'
import { checkedRecord, checkWithin } from './record-checks.js'
import { givenRecord, type RecordFlags } from './record-options.js'
import { withService } from './target.js'
import { tellEnd } from './tell-end.js'

/** The record that is to become the wanted one; undefined where it has to be made. */
function toChange(records: readonly DnsRecord[], { fields }: Wanted, zone: string): DnsRecord | undefined {
  const { type, name } = fields
  const same = records.filter(each => each.type === type && each.name === name)
  const found = same.find(each => contentKey(each, zone) === contentKey(fields, zone))
  if (found || same.length < 2) return found ?? same[0]
  throw new ClientRefusal(
    `${same.length} ${type} records match ${name}, and none has this content: which one is meant?`,
    [
      ...matchLines(same),
      'Delete what is to go:   oauth-lab cf dns delete ID',
      'One more beside them:   oauth-lab cf dns create',
    ],
  )
}

const outcomes = { add: 'created', change: 'updated', none: 'unchanged' } as const

/** `cf dns set`: makes a record be as it is described, whether there is one of its type and name or not. */
export async function setRecord(flags: RecordFlags, command: Command): Promise<void> {
  const globals = readGlobals(command)
  const signs = signsFor(globals)
  await withService(flags, globals, async reached => {
    const { service } = reached
    const zone = await reached.zone([flags.name])
    checkWithin(flags.name, zone)
    const zoneName = nameOfZone(zone)
    const wanted = checkedRecord(givenRecord(flags), zoneName)
    const beside = (await listRecords(service, zone.id, { name: wanted.fields.name })).filter(
      ({ name }) => name === wanted.fields.name,
    )
    const before = toChange(beside, wanted, zoneName)
    const found = before === undefined ? [] : differences(before, wanted, zoneName)
    const change: Change | undefined =
      before === undefined
        ? { action: 'add', wanted }
        : found.length === 0
          ? undefined
          : { action: 'change', before, wanted, differences: found }
    const outcome = outcomes[change?.action ?? 'none']
    const changes = change === undefined ? [] : [change]
    if (flags.dryRun) {
      const extra = beside.filter(each => each !== before)
      const [problem] = planProblems({ changes, unchanged: [], extra })
      if (problem) throw new ClientRefusal(problem.message)
    }
    const after = flags.dryRun ? undefined : await carryOut(service, zone.id, changes)
    if (globals.json) {
      const record = after ?? before ?? wanted.fields
      const dry = flags.dryRun && { dry_run: true }
      return printJson({ outcome, ...dry, record, ...(found.length > 0 && { differences: found }) })
    }
    if (flags.dryRun) {
      const lines = change ? planLines(changes, signs) : [`  ${recordLine(before ?? wanted.fields, signs)}`]
      return print(...lines, `${toDoText(changes)} Nothing was sent (--dry-run).`)
    }
    if (change === undefined) return print(`unchanged ${recordLine(before ?? wanted.fields, signs)}`)
    print(...doneLines(changes, signs))
    tellEnd(reached)
  })
}
