import { textValue } from '../records/presentation.js'
import {
  AUTOMATIC_TTL,
  createRecordIndex,
  type GivenRecord,
  type RecordFields,
  readContent,
  readRecord,
} from '../records/record.js'
import { hasData, RecordError } from '../records/record-types.js'
import { type DnsRecord, RECORD_TYPES } from '../shapes.js'
import { ClientRefusal } from './service.js'

/** One change from the present records to the wanted records. */
export type Change =
  | { readonly action: 'add'; readonly wanted: Wanted }
  | {
      readonly action: 'change'
      readonly before: DnsRecord
      readonly wanted: Wanted
      readonly differences: readonly Difference[]
    }
  | { readonly action: 'delete'; readonly before: DnsRecord }

/** All changes of a run. */
export interface Plan {
  readonly changes: readonly Change[]
  /** Records that are already as wanted. */
  readonly unchanged: readonly DnsRecord[]
  /** Records that are not wanted and stay. */
  readonly extra: readonly DnsRecord[]
}

/** The rules of a plan. */
interface PlanRules {
  /** The name of the zone. */
  readonly zone: string
  /** True when records that are not wanted are deleted. */
  readonly prune: boolean
}

const groupOf = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  `${type} ${name.toLowerCase()}`

/** Groups items by a key, in their order. */
export function grouped<T>(all: readonly T[], key: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    const group = groups.get(key(each))
    if (group) group.push(each)
    else groups.set(key(each), [each])
  }
  return groups
}

/** True for a record that the service owns and this program never deletes: the name servers of the zone, and read-only records. */
function ofService({ type, name, meta }: DnsRecord, zone: string): boolean {
  return (type === 'NS' && name === zone) || meta?.read_only === true
}

/**
 * Returns the changes for one type and name. Records with the wanted content stay. An existing record is changed instead of deleted, or when one
 * wanted record faces one existing record. TXT records of one name are independent, so a TXT record is replaced only when it would be deleted.
 */
function groupSteps(wanted: readonly Wanted[], existing: readonly DnsRecord[], rules: PlanRules) {
  const { zone, prune } = rules
  const steps: { readonly wanted: Wanted; readonly before?: DnsRecord }[] = []
  const unmet: Wanted[] = []
  const byContent = grouped(existing, record => contentKey(record, zone))
  for (const each of wanted) {
    const before = byContent.get(contentKey(each.fields, zone))?.shift()
    if (before) steps.push({ wanted: each, before })
    else unmet.push(each)
  }
  const single = wanted.length === 1 && existing.length === 1 && wanted[0]!.fields.type !== 'TXT'
  const free = [...byContent.values()].flat().filter(record => !ofService(record, zone))
  for (const each of unmet) {
    const before = prune || single ? free.shift() : undefined
    steps.push({ wanted: each, ...(before && { before }) })
  }
  return steps
}

/** Plans the changes that give a zone the wanted records. With `prune`, other records are deleted. */
export function planChanges(
  existing: readonly DnsRecord[],
  wanted: readonly Wanted[],
  rules: PlanRules,
): Plan {
  const { zone, prune } = rules
  const there = grouped(existing, groupOf)
  const asked = grouped(wanted, ({ fields }) => groupOf(fields))
  const changes: Change[] = []
  const unchanged: DnsRecord[] = []
  const left = new Set(existing)
  for (const [key, group] of asked) {
    for (const { wanted: each, before } of groupSteps(group, there.get(key) ?? [], rules)) {
      if (before === undefined) {
        changes.push({ action: 'add', wanted: each })
        continue
      }
      left.delete(before)
      const changed = differences(before, each, zone)
      if (changed.length === 0) unchanged.push(before)
      else changes.push({ action: 'change', before, wanted: each, differences: changed })
    }
  }
  const goes = (record: DnsRecord) => prune && !ofService(record, zone)
  return {
    changes: [...changes, ...[...left].filter(goes).map(before => ({ action: 'delete' as const, before }))],
    unchanged,
    extra: [...left].filter(record => !goes(record)),
  }
}

/** The optional fields of a record. */
const OPTIONAL = ['ttl', 'proxied', 'comment', 'tags', 'settings'] as const

/** A position in a file. Lines and columns start at 1. */
export interface Place {
  readonly line: number
  readonly column: number
}

/** A wanted record, checked and in canonical form. */
export interface Wanted {
  readonly fields: RecordFields
  /** The optional fields that were given. Other fields keep their values. */
  readonly said: ReadonlySet<(typeof OPTIONAL)[number]>
  readonly at?: Place
}

/**
 * Checks a given record.
 * @param zone the name of the zone
 * @throws RecordError
 */
export function wantedRecord(given: GivenRecord, zone: string, at?: Place): Wanted {
  const fields = readRecord(given, zone)
  const said = new Set(OPTIONAL.filter(name => given[name] !== undefined))
  return { fields, said, ...(at && { at }) }
}

type Kept = Pick<DnsRecord, 'type' | 'content' | 'priority' | 'data'>

/** The content of a record in canonical form, and its priority. */
function saidBy(record: Kept, zone: string) {
  const { type, content, priority } = record
  try {
    if (!(RECORD_TYPES as readonly string[]).includes(type)) return { text: content, priority }
    const read = readContent(type, record, zone)
    return { text: type === 'TXT' ? textValue(read.content) : read.content, priority: read.priority }
  } catch (error) {
    // A service may have records that this program does not know.
    if (error instanceof RecordError) return { text: content, priority }
    throw error
  }
}

/**
 * Returns a key that is equal for contents with the same meaning. It omits the priority of MX and URI, because the service has one record for each
 * content.
 */
export const contentKey = (record: Kept, zone: string): string => saidBy(record, zone).text

/** True when two records of a type have the same meaning and priority. */
function saysTheSame(one: Kept, other: Kept, zone: string): boolean {
  const [a, b] = [saidBy(one, zone), saidBy(other, zone)]
  return a.text === b.text && a.priority === b.priority
}

/** Returns the content for a request. For some types the service accepts the content only in parts. */
function sentContent({ type, content, priority, data }: RecordFields): object {
  const rank = priority === undefined || type === 'SRV' ? {} : { priority }
  return hasData(type) && data !== undefined ? { data, ...rank } : { content, ...rank }
}

/** The request body that adds a record. */
export function creationBody({ fields, said }: Wanted): object {
  const { type, name, ttl, proxied } = fields
  const more = (['comment', 'tags', 'settings'] as const).filter(each => said.has(each))
  return {
    type,
    name,
    ...sentContent(fields),
    ttl,
    proxied,
    ...Object.fromEntries(more.map(each => [each, fields[each]])),
  }
}

/** Returns the content of a record as people write it, including the priority that the service stores separately. */
export function shownContent({
  type,
  content,
  priority,
}: Pick<DnsRecord, 'type' | 'content' | 'priority'>): string {
  return priority === undefined || type === 'SRV' ? content : `${priority} ${content}`
}

/** One field of a record that has to change. */
export interface Difference {
  readonly field: 'content' | 'ttl' | 'proxied' | 'comment' | 'tags' | 'settings'
  readonly before: unknown
  readonly after: unknown
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort())

/**
 * Returns the fields in which a record differs from the wanted one. A field that was not given stays as it is, and the service sets
 * the TTL of a proxied record.
 */
export function differences(before: DnsRecord, { fields, said }: Wanted, zone: string): Difference[] {
  const changed: Difference[] = []
  const add = (field: Difference['field'], from: unknown, to: unknown) =>
    changed.push({ field, before: from, after: to })
  const proxied = said.has('proxied') ? fields.proxied : before.proxied
  const ttl = proxied ? AUTOMATIC_TTL : said.has('ttl') ? fields.ttl : before.ttl
  if (!saysTheSame(before, fields, zone)) add('content', shownContent(before), shownContent(fields))
  if (proxied !== before.proxied) add('proxied', before.proxied, proxied)
  if (ttl !== before.ttl) add('ttl', before.ttl, ttl)
  if (said.has('comment') && fields.comment !== before.comment) add('comment', before.comment, fields.comment)
  if (said.has('tags') && !same(fields.tags, before.tags)) add('tags', before.tags, fields.tags)
  const settings = said.has('settings') ? Object.entries(fields.settings) : []
  if (settings.some(([name, value]) => (before.settings[name] ?? false) !== value)) {
    add('settings', before.settings, { ...before.settings, ...fields.settings })
  }
  return changed
}

/** The request body that makes these changes. */
export function changeBody({ fields }: Wanted, changed: readonly Difference[]): object {
  const plain = changed.filter(({ field }) => field !== 'content')
  return {
    ...(changed.length > plain.length && sentContent(fields)),
    ...Object.fromEntries(plain.map(({ field, after }) => [field, after])),
  }
}

/** A mistake in the wanted records, with its position in a file. */
export interface Problem {
  readonly message: string
  readonly at?: Place
}

const problem = (message: string, at: Place | undefined): Problem => ({ message, ...(at && { at }) })

/** Finds duplicate records in a file, and records that conflict with each other. */
export function fileProblems(wanted: readonly Wanted[], zone: string): Problem[] {
  const seen = new Map<string, Wanted>()
  const problems: Problem[] = []
  for (const each of wanted) {
    const { type, name } = each.fields
    const key = `${type} ${name} ${contentKey(each.fields, zone)}`
    const first = seen.get(key)
    if (first === undefined) seen.set(key, each)
    else problems.push(problem(`the same record is in line ${first.at?.line ?? 1}`, each.at))
  }
  const changes = [...seen.values()].map((each): Change => ({ action: 'add', wanted: each }))
  return [...problems, ...planProblems({ changes, unchanged: [], extra: [] })]
}

/** Finds records that would conflict after a plan. The service would refuse them. */
export function planProblems({ changes, unchanged, extra }: Plan): Problem[] {
  const index = createRecordIndex([...unchanged, ...extra])
  const problems: Problem[] = []
  for (const change of changes) {
    if (change.action === 'delete') continue
    const { fields, at } = change.wanted
    const wrong = index.conflict(fields)
    if (wrong) problems.push(problem(`${fields.type} ${fields.name}: ${wrong.message} (${wrong.code})`, at))
    index.add(fields)
  }
  return problems
}

/** The most records that a run deletes: a number, or a share of the zone in per cent. */
type DeletionLimit = { readonly records: number } | { readonly percent: number }

/** The share that a run deletes without an option, and the number of records that it always may. */
const USUAL_PERCENT = 30
const ALWAYS = 5

/** Reads a limit such as `30%` or `12`. Returns undefined for other texts. */
export function parseDeletionLimit(text: string): DeletionLimit | undefined {
  const [, number, percent] = /^(\d{1,6})(%?)$/.exec(text.trim()) ?? []
  if (number === undefined) return undefined
  if (percent === '') return { records: Number(number) }
  return Number(number) <= 100 ? { percent: Number(number) } : undefined
}

/** Returns the number of records that a limit allows of a zone with `all` records. */
function allowed(limit: DeletionLimit | undefined, all: number): number {
  if (limit === undefined) return Math.max(ALWAYS, Math.floor((all * USUAL_PERCENT) / 100))
  return 'records' in limit ? limit.records : Math.floor((all * limit.percent) / 100)
}

/**
 * Checks that a plan does not delete too much of a zone. A wrong or half-written file would otherwise empty the zone.
 * @param limit undefined for the default: 30 % of the zone, and five records in any case
 * @throws ClientRefusal
 */
export function checkDeletions(
  { changes, unchanged, extra }: Plan,
  zone: string,
  limit: DeletionLimit | undefined,
): void {
  const count = changes.filter(({ action }) => action === 'delete').length
  const all = changes.filter(({ action }) => action !== 'add').length + unchanged.length + extra.length
  const most = allowed(limit, all)
  if (count <= most) return
  const share = Math.round((count / all) * 100)
  throw new ClientRefusal(
    `${count} of ${all} records of ${zone} would be deleted (${share} %); the limit is ${most}. Nothing was changed.`,
    [`If that is meant:   --max-delete ${count}`, 'See what it would be:   --dry-run'],
  )
}
