import { AUTOMATIC_TTL } from '../records/record-fields.js'
import type { DnsRecord } from '../shapes.js'
import { saysTheSame, sentContent, type Wanted } from './wanted.js'

/** One thing that is to be another. */
export interface Difference {
  readonly field: 'content' | 'ttl' | 'proxied' | 'comment' | 'tags' | 'settings'
  readonly before: unknown
  readonly after: unknown
}

/** Content with its priority, where that stands beside it. */
function told({ type, content, priority }: Pick<DnsRecord, 'type' | 'content' | 'priority'>): string {
  return priority === undefined || type === 'SRV' ? content : `${priority} ${content}`
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  JSON.stringify([...a].sort()) === JSON.stringify([...b].sort())

/**
 * How a record differs from what is wanted of it. What was not said stays as it is, and the time of what is proxied
 * is the service's.
 */
export function differences(before: DnsRecord, { fields, said }: Wanted, zone: string): Difference[] {
  const found: Difference[] = []
  const add = (field: Difference['field'], from: unknown, to: unknown) =>
    found.push({ field, before: from, after: to })
  const proxied = said.has('proxied') ? fields.proxied : before.proxied
  const ttl = proxied ? AUTOMATIC_TTL : said.has('ttl') ? fields.ttl : before.ttl
  if (!saysTheSame(before, fields, zone)) add('content', told(before), told(fields))
  if (proxied !== before.proxied) add('proxied', before.proxied, proxied)
  if (ttl !== before.ttl) add('ttl', before.ttl, ttl)
  if (said.has('comment') && fields.comment !== before.comment) add('comment', before.comment, fields.comment)
  if (said.has('tags') && !same(fields.tags, before.tags)) add('tags', before.tags, fields.tags)
  const settings = said.has('settings') ? Object.entries(fields.settings) : []
  if (settings.some(([name, value]) => (before.settings[name] ?? false) !== value)) {
    add('settings', before.settings, { ...before.settings, ...fields.settings })
  }
  return found
}

/** The body that makes these differences. */
export function changeBody({ fields }: Wanted, found: readonly Difference[]): object {
  const plain = found.filter(({ field }) => field !== 'content')
  return {
    ...(found.length > plain.length && sentContent(fields)),
    ...Object.fromEntries(plain.map(({ field, after }) => [field, after])),
  }
}
