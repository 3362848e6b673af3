import type { DnsRecord } from '../shapes.js'
import { type Difference, differences } from './differences.js'
import { contentKey, type Wanted } from './wanted.js'

/** One step from the present records to the wanted ones. */
export type Change =
  | { readonly action: 'add'; readonly wanted: Wanted }
  | {
      readonly action: 'change'
      readonly before: DnsRecord
      readonly wanted: Wanted
      readonly differences: readonly Difference[]
    }
  | { readonly action: 'delete'; readonly before: DnsRecord }

/** All steps. */
export interface Plan {
  readonly changes: readonly Change[]
  /** Records that are already as wanted. */
  readonly unchanged: readonly DnsRecord[]
  /** Records that are not wanted and stay. */
  readonly extra: readonly DnsRecord[]
}

/** The rules of a plan. */
export interface PlanRules {
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

/** True for a record that belongs to the service: the zone's own name servers, and read-only records. It is never deleted. */
function ofService({ type, name, meta }: DnsRecord, zone: string): boolean {
  return (type === 'NS' && name === zone) || meta?.read_only === true
}

/**
 * The steps for one type and name. Records with the wanted content are kept. A record is changed when it would be deleted otherwise, or
 * when both sides have a single one. Texts of one name are independent: a text replaces another only when that one would be deleted.
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

/** Plans the changes after which a zone has the wanted records; with `prune`, only those. */
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
