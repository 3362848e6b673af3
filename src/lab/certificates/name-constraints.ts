import { BlockList, isIP } from 'node:net'
import { canonicalAddress } from '../lab-file/names.js'

// Loading these packages takes longer than a short command.
const asn1 = async () => {
  const [{ AsnConvert }, x509] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ])
  return { AsnConvert, ...x509 }
}

/**
 * Addresses off the Internet: loopback (RFC 1122), private and shared (RFC 1918, 6598, 4193), link-local (RFC 3927, 4291),
 * and those of examples (RFC 5737, 3849). A computer that moves to another network keeps its CA.
 */
export const LOCAL_ADDRESSES: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '169.254.0.0/16',
  '192.0.2.0/24',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '::1',
  'fc00::/7',
  'fe80::/10',
  '2001:db8::/32',
]

/**
 * A domain that never exists (RFC 2606 §2): a kind of name without a subtree would be unlimited, and programs disagree
 * about an empty excluded subtree.
 */
const NOWHERE = 'oauth-lab.invalid'

/** The name itself, or the parent of a wildcard. */
const subtree = (name: string): string => name.replace(/^\*\./, '')

/** A URL rewrites the IPv4 tail of an IPv6 address, which the package cannot read. */
function masked(range: string): string {
  const [address = '', prefix] = range.split('/')
  return isIP(address) === 4
    ? `${address}/${prefix ?? 32}`
    : `${new URL(`http://[${address}]/`).hostname.slice(1, -1)}/${prefix ?? 128}`
}

const isAddress = (name: string): boolean => isIP(name.split('/')[0]!) !== 0

/**
 * The DER of NameConstraints (RFC 5280 §4.2.1.10) for host names with their subdomains and ranges such as `10.0.0.0/8`, no
 * mailbox and no URI. Directory names stay unlimited: Go refuses a critical constraint of an unknown kind.
 */
export async function permitNames(names: readonly string[]): Promise<ArrayBuffer> {
  const { AsnConvert, GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } = await asn1()
  const bases = [...new Set(names.map(subtree))].map(name =>
    isAddress(name) ? { iPAddress: masked(name) } : { dNSName: name },
  )
  const permittedSubtrees = new GeneralSubtrees(
    [...bases, { rfc822Name: NOWHERE }, { uniformResourceIdentifier: NOWHERE }].map(
      base => new GeneralSubtree({ base: new GeneralName(base) }),
    ),
  )
  return AsnConvert.serialize(new NameConstraints({ permittedSubtrees }))
}

export interface PermittedNames {
  /** Host names, addresses, and ranges of addresses. */
  readonly names: string[]
  readonly mailboxes: boolean
  readonly uris: boolean
}

/** Reads the DER of NameConstraints. */
export async function permittedNames(value: Uint8Array): Promise<PermittedNames> {
  const { AsnConvert, NameConstraints } = await asn1()
  const { permittedSubtrees = [] } = AsnConvert.parse(value, NameConstraints)
  const bases = permittedSubtrees.map(({ base }) => base)
  const names = bases.flatMap(({ dNSName, iPAddress }) => {
    if (iPAddress === undefined) return dNSName ?? []
    const [address = '', prefix] = iPAddress.split('/')
    const version = isIP(address)
    const shortest = version === 6 ? canonicalAddress(address) : address
    return Number(prefix) === (version === 6 ? 128 : 32) ? shortest : `${shortest}/${prefix}`
  })
  const limited = (kind: 'rfc822Name' | 'uniformResourceIdentifier') => {
    const domains = bases.flatMap(base => base[kind] ?? [])
    return domains.length > 0 && domains.every(domain => domain === NOWHERE)
  }
  return { names, mailboxes: limited('rfc822Name'), uris: limited('uniformResourceIdentifier') }
}

const family = (address: string) => (isIP(address) === 6 ? 'ipv6' : 'ipv4')

/** The names that no permitted name or range covers. */
export function notPermitted(permitted: readonly string[], names: readonly string[]): string[] {
  const addresses = new BlockList()
  for (const each of permitted.filter(isAddress)) {
    const [address = '', prefix] = each.split('/')
    if (prefix === undefined) addresses.addAddress(address, family(address))
    else addresses.addSubnet(address, Number(prefix), family(address))
  }
  const fits = (name: string) =>
    isIP(name)
      ? addresses.check(name, family(name))
      : permitted.some(each => name === each || name.endsWith(`.${each}`))
  return names.filter(name => !fits(subtree(name)))
}
