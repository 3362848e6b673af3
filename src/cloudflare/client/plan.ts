import type { DnsRecord } from '../shapes.js'
import { type Difference, differences } from './differences.js'
import { contentKey, type Wanted } from './wanted.js'

/** One step from what is to what is wanted. */
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
  /** Records that are as they are wanted. */
  readonly unchanged: readonly DnsRecord[]
  /** Records that nobody asked for and that stay. */
  readonly extra: readonly DnsRecord[]
}

/** What the rules of a plan are. */
export interface PlanRules {
  /** The name of the zone. */
  readonly zone: string
  /** Whether records that nobody asked for are deleted. */
  readonly prune: boolean
}

const groupOf = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  `${type} ${name.toLowerCase()}`

/** The same things together, in their order. */
export function grouped<T>(all: readonly T[], key: (each: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const each of all) {
    const group = groups.get(key(each))
    if (group) group.push(each)
    else groups.set(key(each), [each])
  }
  return groups
}

/** The zone's own name servers, and what the service made itself, are not ours to delete. */
function ofService({ type, name, meta }: DnsRecord, zone: string): boolean {
  return (type === 'NS' && name === zone) || meta?.read_only === true
}

/**
 * The steps for one type and name: first, records that have the content already; then, pairs that are changed. A
 * record is changed where it would be deleted otherwise, or where there is only one on both sides; texts of one name
 * have nothing to do with each other, so that one takes another's place only where that one is to go anyway.
 */
function groupSteps(wanted: readonly Wanted[], existing: readonly DnsRecord[], rules: PlanRules) {
  const { zone, prune } = rules
  const steps: { readonly wanted: Wanted; readonly before?: DnsRecord }[] = []
  const unmet: Wanted[] = []
  const alike = grouped(existing, record => contentKey(record, zone))
  for (const each of wanted) {
    const before = alike.get(contentKey(each.fields, zone))?.shift()
    if (before) steps.push({ wanted: each, before })
    else unmet.push(each)
  }
  const single = wanted.length === 1 && existing.length === 1 && wanted[0]!.fields.type !== 'TXT'
  const free = [...alike.values()].flat().filter(record => !ofService(record, zone))
  for (const each of unmet) {
    const before = prune || single ? free.shift() : undefined
    steps.push({ wanted: each, ...(before && { before }) })
  }
  return steps
}

/** What has to be done so that a zone has the wanted records; with `prune` nothing else. */
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
      const found = differences(before, each, zone)
      if (found.length === 0) unchanged.push(before)
      else changes.push({ action: 'change', before, wanted: each, differences: found })
    }
  }
  const goes = (record: DnsRecord) => prune && !ofService(record, zone)
  return {
    changes: [...changes, ...[...left].filter(goes).map(before => ({ action: 'delete' as const, before }))],
    unchanged,
    extra: [...left].filter(record => !goes(record)),
  }
}
