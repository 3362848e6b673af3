import type { NamedRecord } from '../../servers/cloudflare/client/one-record.js'
import type { RecordFlags } from './options.js'

/** The record of the flags, unchecked. The content of MX and URI may begin with the priority. */
export function givenRecord(flags: RecordFlags): NamedRecord {
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
