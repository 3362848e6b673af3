import { foreign } from '../../../protocol/safe-output/safe.js'
import type { Change, Difference, Plan } from '../../../servers/cloudflare/client/plan.js'
import type { Signs } from '../text/signs.js'
import { recordLine, treatment, ttlText } from './dns-records.js'

function valueText({ field }: Difference, value: unknown): string {
  if (field === 'proxied') return value ? 'proxied' : 'not proxied'
  if (field === 'ttl') return ttlText(Number(value))
  if (field === 'comment') return value === null ? 'none' : JSON.stringify(value)
  if (field === 'content') return String(value)
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return JSON.stringify(value)
}

function differenceText(difference: Difference, signs: Signs): string {
  const { field, before, after } = difference
  const [from, to] = [before, after].map(value => foreign(valueText(difference, value), signs))
  const name = field === 'proxied' ? '' : `${field} `
  return `${name}${from} ${signs.to} ${to}`
}

/** A change, after the name of its record. */
function changeText(change: Change, signs: Signs): string {
  if (change.action === 'delete') return recordLine(change.before, signs)
  const { fields } = change.wanted
  if (change.action === 'add') return recordLine(fields, signs)
  const { before, differences } = change
  const moved = new Set<string>(differences.map(({ field }) => field))
  const facts = treatment(before)
    .split(', ')
    .filter(fact => !moved.has(fact.startsWith('ttl') ? 'ttl' : 'proxied'))
  return [
    foreign(`${before.type} ${before.name}`, signs),
    differences.map(each => differenceText(each, signs)).join(', '),
    ...(facts.length === 0 ? [] : [`(${facts.join(', ')})`]),
  ].join('   ')
}

const marks = { add: '+', change: '~', delete: '-' } as const
const past = { add: 'created', change: 'updated', delete: 'deleted' } as const

/** Planned changes, a line a record: `~ A home.example.com   content … → …`. */
export function planLines(changes: readonly Change[], signs: Signs): string[] {
  return changes.map(change => `${marks[change.action]} ${changeText(change, signs)}`)
}

/** Changes that were made, a line a record: `updated A home.example.com   content … → …`. */
export function doneLines(changes: readonly Change[], signs: Signs): string[] {
  return changes.map(change => `${past[change.action]} ${changeText(change, signs)}`)
}

const VERBS = {
  planned: { change: 'to change', add: 'to add', delete: 'to delete' },
  done: { change: 'changed', add: 'added', delete: 'deleted' },
} as const

/** `1 to change, 0 to add, 0 to delete.`, or `1 changed, 0 added, 0 deleted.` */
export function countText(changes: readonly Change[], tense: keyof typeof VERBS): string {
  const parts = (['change', 'add', 'delete'] as const).map(
    action => `${changes.filter(each => each.action === action).length} ${VERBS[tense][action]}`,
  )
  return `${parts.join(', ')}.`
}

/**
 * The records that a plan does not change, in a sentence with a space before it; empty when there are no such records.
 */
export function restText({ unchanged, extra }: Plan, { prune }: { readonly prune?: boolean }): string {
  const deletes = prune ? '' : ` (--prune deletes ${extra.length === 1 ? 'it' : 'them'})`
  const parts = [
    ...(unchanged.length === 0 ? [] : [`${unchanged.length} unchanged`]),
    ...(extra.length === 0 ? [] : [`${extra.length} only in the zone${deletes}`]),
  ]
  return parts.length === 0 ? '' : ` ${parts.join(', ')}.`
}

/** A dry run for people: what would be done, and that nothing was sent. */
export function dryRunLines(changes: readonly Change[], signs: Signs): string[] {
  return [...planLines(changes, signs), `${countText(changes, 'planned')} Nothing was sent (--dry-run).`]
}

function changeJson(change: Change): object {
  const { action } = change
  if (action === 'delete') return { action, record: change.before }
  const { fields } = change.wanted
  if (action === 'add') return { action, record: fields }
  return { action, record: change.before, differences: change.differences }
}

/** The plan for a zone as JSON. */
export function planJson(zone: string, { changes, unchanged, extra }: Plan, applied: boolean): object {
  return {
    zone,
    applied,
    changes: changes.map(changeJson),
    unchanged: unchanged.length,
    only_in_zone: extra,
  }
}
