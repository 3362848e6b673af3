import { type DnsRecord, PROXIABLE_TYPES, RECORD_TYPES } from '../shapes.js'
import { hasData } from './layouts.js'
import { quotedStrings, textStrings } from './presentation.js'

/** Types whose content ends with a name. A zone file writes a dot after the name. */
const endsWithName = new Set(['CNAME', 'NS', 'PTR', 'MX', 'SRV', 'NAPTR'])

const dotted = (name: string): string => (name.endsWith('.') ? name : `${name}.`)

function contentText({ type, content, priority }: DnsRecord): string {
  if (type === 'TXT') return textStrings(content).map(quotedStrings).join(' ')
  if (type === 'URI') return `${priority} ${content}`
  if (type === 'HTTPS' || type === 'SVCB') {
    return content.replace(/^(\d+ )(\S+)/, (_, first: string, name: string) => first + dotted(name))
  }
  const text = endsWithName.has(type) ? dotted(content) : content
  return type === 'MX' && !hasData(type) ? `${priority} ${text}` : text
}

/** One record as a line of a zone file. The fields that DNS has no place for are in its comment. */
function zoneLine(record: DnsRecord): string {
  const { name, type, ttl, proxied, comment, tags } = record
  const marks = PROXIABLE_TYPES.includes(type) ? [`cf-proxied:${proxied}`, ...tags] : tags
  const said = comment === null ? [] : [comment]
  if (marks.length > 0) said.push(`cf_tags=${marks.join(',')}`)
  const ending = said.length === 0 ? '' : ` ; ${said.join(' ')}`
  return `${name}.\t${ttl}\tIN\t${type}\t${contentText(record)}${ending}`
}

/**
 * The zone file of a zone (RFC 1035 §5), with one section a type.
 * @param now milliseconds since the epoch
 */
export function zoneText(
  zone: { readonly name: string; readonly nameServers: readonly string[] },
  records: readonly DnsRecord[],
  now: number,
): string {
  const { name, nameServers } = zone
  const at = new Date(now).toISOString()
  const servers = nameServers.map(server => `${name}.\t86400\tIN\tNS\t${server}.`)
  const serial = `${at.slice(0, 10).replaceAll('-', '')}00`
  const head = [
    `;; Domain:     ${name}.`,
    `;; Exported:   ${at.slice(0, 19).replace('T', ' ')} UTC`,
    ';; For reading and for moving records; set the SOA and NS records to your own servers before use.',
    '',
    `${name}.\t3600\tIN\tSOA\t${nameServers[0] ?? name}. dns.${name}. ${serial} 10000 2400 604800 3600`,
    ...servers,
  ]
  const sections = RECORD_TYPES.flatMap(type => {
    const own = records.filter(record => record.type === type)
    return own.length === 0 ? [] : ['', `;; ${type} records`, ...own.map(zoneLine)]
  })
  return `${[...head, ...sections].join('\n')}\n`
}
