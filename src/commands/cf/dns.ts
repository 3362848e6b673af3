import { UsageError } from '../../protocol/errors.js'
import { nearestHint } from '../../protocol/nearest.js'
import { makeSafe } from '../../protocol/safe-output/safe.js'
import { carryOut } from '../../servers/cloudflare/client/carry-out.js'
import {
  addRecord,
  checkConflicts,
  type NamedRecord,
  planCreate,
  planSet,
} from '../../servers/cloudflare/client/one-record.js'
import {
  type Change,
  checkDeletions,
  planChanges,
  planProblems,
} from '../../servers/cloudflare/client/plan.js'
import { readRecordFile, throwConflicts } from '../../servers/cloudflare/client/record-file.js'
import { checkSelection, listRecords, selectRecords } from '../../servers/cloudflare/client/records.js'
import { ClientRefusal, type Query } from '../../servers/cloudflare/client/service.js'
import { exportZone, nameOfZone, zoneLabel } from '../../servers/cloudflare/client/zones.js'
import { recordName } from '../../servers/cloudflare/records/names.js'
import { RECORD_TYPES } from '../../servers/cloudflare/shapes.js'
import { readFileOrStdin } from '../../session/input/input.js'
import { writeText } from '../../session/output/writer.js'
import {
  countText,
  doneLines,
  dryRunLines,
  matchLines,
  planJson,
  planLines,
  RECORD_COLUMNS,
  recordLine,
  recordTable,
  restText,
} from '../../show/render/dns/dns-lines.js'
import { listText } from '../../show/render/text/list-text.js'
import { signsFor } from '../../show/render/text/signs.js'
import { answeredYes } from '../output/confirm.js'
import { narrate, print, printJson, terminalColumns } from '../output/output.js'
import { EXIT } from '../program/exit.js'
import type { Globals } from '../program/globals.js'
import { narrateEnd, withAccount } from './account.js'
import {
  type AccountFlags,
  type ApplyFlags,
  type DeleteFlags,
  listFormOf,
  type RecordFlags,
  type RecordSearch,
} from './options.js'

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
      return print([...planLines(changes, signs), counts].join('\n'))
    }
    checkDeletions(plan, name, flags.maxDelete)
    const deletions = changes.filter(isDeletion)
    const asks = deletions.length > 0 && !flags.yes
    if (!globals.json || asks) for (const line of planLines(changes, signs)) narrate(line)
    if (asks) await confirmDeletion(deletions.length, 'nothing was changed')
    await carryOut(account.service, zone.id, changes)
    if (globals.json) return printJson(planJson(name, plan, true))
    print([...doneLines(changes, signs), countText(changes, 'done') + restText(plan, flags)].join('\n'))
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

/** `cf dns list`: the records of a zone, all pages. */
export async function listRecordsOf(flags: RecordSearch & AccountFlags, globals: Globals): Promise<void> {
  const form = listFormOf(flags.output, globals)
  const query = recordQuery(flags)
  await withAccount(flags, globals, async account => {
    const zone = await account.zone(flags.name === undefined ? [] : [flags.name])
    const records = await listRecords(account.service, zone.id, query(zone.name))
    if (form === 'bind') writeText(exportZone(zone, records, account.now(), text => makeSafe(text)))
    else if (form !== 'table') writeText(listText(form, records, RECORD_COLUMNS))
    else if (records.length === 0) {
      const isType = (RECORD_TYPES as readonly string[]).includes(flags.type?.toUpperCase() ?? 'A')
      const near = isType ? [] : nearestHint(flags.type!, RECORD_TYPES)
      narrate([`No record of ${makeSafe(zoneLabel(zone))} matches.`, ...near].join(' '))
    } else print(recordTable(records, signsFor(globals), terminalColumns()).join('\n'))
  })
}

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

/** The record of the flags, unchecked. The content of MX and URI may begin with the priority. */
function givenRecord(flags: RecordFlags): NamedRecord {
  const { name, ttl, proxied, comment, tag: tags } = flags
  const type = flags.type.toUpperCase()
  const [, first, rest] = /^\s*(\d{1,5})\s+(\S.*)$/s.exec(flags.content) ?? []
  const split = flags.priority === undefined && (type === 'MX' || type === 'URI') && rest !== undefined
  const content = split ? rest : flags.content
  const priority = split ? Number(first) : flags.priority
  const members = { type, name, content, priority, ttl, proxied, comment, tags }
  const given = Object.entries(members).filter(([, value]) => value !== undefined)
  return { name, ...Object.fromEntries(given) }
}

const ways = ['exact', 'contains', 'startswith', 'endswith'] as const

/** The filters of the service that have no option of their own. */
const FILTERS: readonly string[] = [
  ...['name', 'content', 'comment', 'tag'].flatMap(field => ways.map(way => `${field}.${way}`)),
  ...['comment.present', 'comment.absent', 'tag.present', 'tag.absent', 'tag', 'tag_match'],
]

function parsedFilter(text: string): readonly [name: string, value: string] {
  const mark = text.indexOf('=')
  const name = mark < 0 ? text : text.slice(0, mark)
  if (!FILTERS.includes(name)) {
    throw new UsageError(`--filter ${JSON.stringify(name)} is no filter of the API`, [
      ...nearestHint(name, FILTERS),
      `There are ${FILTERS.join(', ')}`,
    ])
  }
  if (mark < 0 && !/^comment\.(present|absent)$/.test(name)) {
    throw new UsageError(`--filter ${name} has no value`, [`Write it as --filter ${name}=TEXT`])
  }
  return [name, mark < 0 ? 'true' : text.slice(mark + 1)]
}

/** Reads a search. The query depends on the name of the zone, which is known later. @throws UsageError */
function recordQuery(given: RecordSearch): (zone: string) => Query {
  const { type, name, content, search, proxied, match, order, desc } = given
  const filters = Object.fromEntries((given.filter ?? []).map(parsedFilter))
  return zone => ({
    type: type?.toUpperCase(),
    name: name === undefined ? undefined : (recordName(name, zone) ?? name),
    content,
    search,
    proxied,
    match,
    order,
    direction: desc ? 'desc' : undefined,
    ...filters,
  })
}

/**
 * Asks before records are deleted.
 * @param otherwise the result of a no: `nothing was deleted`
 * @throws UsageError without a terminal to ask on; ClientRefusal for any answer but yes, UserError for Ctrl-C
 */
async function confirmDeletion(count: number, otherwise: string): Promise<void> {
  const yes = await answeredYes({
    text: count === 1 ? 'Delete this record?' : `Delete these ${count} records?`,
    otherwise,
    hints: ['Delete without being asked:   --yes', 'See what it would be:         --dry-run'],
  })
  if (!yes) throw new ClientRefusal(otherwise)
}
