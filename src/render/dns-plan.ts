import type { Difference } from '../cloudflare/client/differences.js'
import type { Change, Plan } from '../cloudflare/client/plan.js'
import { recordLine, treatment, ttlText } from './dns-records.js'
import { foreign } from './safe.js'
import type { Signs } from './signs.js'

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

/** What a change does, behind the name of its record. */
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

/** What is to be done, a line a record: `~ A home.example.com   content … → …`. */
export function planLines(changes: readonly Change[], signs: Signs): string[] {
  return changes.map(change => `${marks[change.action]} ${changeText(change, signs)}`)
}

/** What was done, a line a record: `updated A home.example.com   content … → …`. */
export function doneLines(changes: readonly Change[], signs: Signs): string[] {
  return changes.map(change => `${past[change.action]} ${changeText(change, signs)}`)
}

const counted = (changes: readonly Change[], action: Change['action']): number =>
  changes.filter(each => each.action === action).length

/** `1 to change, 0 to add, 0 to delete.` */
export function toDoText(changes: readonly Change[]): string {
  const [change, add, gone] = (['change', 'add', 'delete'] as const).map(each => counted(changes, each))
  return `${change} to change, ${add} to add, ${gone} to delete.`
}

/** `1 changed, 0 added, 0 deleted.` */
export function didText(changes: readonly Change[]): string {
  const [change, add, gone] = (['change', 'add', 'delete'] as const).map(each => counted(changes, each))
  return `${change} changed, ${add} added, ${gone} deleted.`
}

/** What a plan leaves alone, in a sentence; nothing where it leaves nothing. */
export function restText({ unchanged, extra }: Plan, { prune }: { readonly prune?: boolean }): string {
  const deletes = prune ? '' : ` (--prune deletes ${extra.length === 1 ? 'it' : 'them'})`
  const parts = [
    ...(unchanged.length === 0 ? [] : [`${unchanged.length} unchanged`]),
    ...(extra.length === 0 ? [] : [`${extra.length} only in the zone${deletes}`]),
  ]
  return parts.length === 0 ? '' : `${parts.join(', ')}.`
}

/** A change for programs. */
export function changeJson(change: Change): object {
  const { action } = change
  if (action === 'delete') return { action, record: change.before }
  const { fields } = change.wanted
  if (action === 'add') return { action, record: fields }
  return { action, record: change.before, differences: change.differences }
}
