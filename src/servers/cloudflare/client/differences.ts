import { AUTOMATIC_TTL } from '../records/record-fields.js'
import type { DnsRecord } from '../shapes.js'
import { saysTheSame, sentContent, shownContent, type Wanted } from './wanted.js'

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
