import { isIP, isIPv4, isIPv6, SocketAddress } from 'node:net'
import { domainToASCII } from 'node:url'

/** Longest name as text, without the dot at its end, and longest label (RFC 1035 §2.3.4). */
const MAX_NAME = 253
const MAX_LABEL = 63

// Host names have no underscore, but names of protocols such as _dmarc have one.
const label = /^[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?$/

/** The name in lower case, IDN as Punycode; undefined for a name without such a form. */
function ascii(name: string): string | undefined {
  if (/^[\x21-\x7e]*$/.test(name)) return name.toLowerCase()
  // `domainToASCII` decodes %-escapes and ends a host at these characters. U+3002 and similar characters are dots to IDNA.
  if (/[\s%:/?#@[\]\\]/.test(name)) return undefined
  return domainToASCII(name) || undefined
}

/**
 * A domain name as DNS compares it: lower case, Punycode, no dot at its end.
 * @returns undefined for text that is not a domain name
 */
export function domainName(text: string): string | undefined {
  const name = ascii(text.replace(/(?<=[^.])\.$/, ''))
  if (name === undefined || name.length > MAX_NAME) return undefined
  const labels = name.split('.')
  const rest = labels[0] === '*' && labels.length > 1 ? labels.slice(1) : labels
  return rest.every(each => each.length <= MAX_LABEL && label.test(each)) ? name : undefined
}

/** The name of a host that records point at: a domain name that is no address and no wildcard. */
export function hostName(text: string): string | undefined {
  const name = domainName(text)
  if (name === undefined || name.startsWith('*') || isIP(name) !== 0) return undefined
  // A top-level domain has a letter, so no name looks like an address (RFC 1123 §2.1).
  return /(^|\.)\d+$/.test(name) ? undefined : name
}

/**
 * The full name of a record: `@` is the zone itself, and a name that is not within the zone is appended to it.
 * @returns undefined for text that is not a domain name
 */
export function recordName(text: string, zone: string): string | undefined {
  const given = text.trim()
  if (given === '@' || given === '') return zone
  // A lone wildcard is relative to the zone.
  const name = given === '*' ? given : domainName(given)
  if (name === undefined) return undefined
  return name === zone || name.endsWith(`.${zone}`) ? name : domainName(`${name}.${zone}`)
}

/** An IPv4 address in dotted decimal; undefined for any other text. */
export function ipv4(text: string): string | undefined {
  return isIPv4(text) ? text : undefined
}

/** An IPv6 address in its shortest form (RFC 5952); undefined for any other text, and for a zone index. */
export function ipv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined
  return new SocketAddress({ address: text, family: 'ipv6' }).address
}
