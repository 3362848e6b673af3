import type { DnsRecord } from '../shapes.js'
import { type Difference, differences } from './differences.js'
import { contentKey, type Wanted } from './wanted.js'

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
