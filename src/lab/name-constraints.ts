import { isIP } from 'node:net'
import { canonicalAddress } from './names.js'

// Loaded with the first certificate: the packages take longer than a short command.
const asn1 = async () => {
  const [{ AsnConvert }, x509] = await Promise.all([
    import('@peculiar/asn1-schema'),
    import('@peculiar/asn1-x509'),
  ])
  return { AsnConvert, ...x509 }
}

/** The subtree that permits a name: the name itself, or the parent of a wildcard. */
const subtree = (name: string): string => name.replace(/^\*\./, '')

/** An address with the mask that permits it alone. The package does not read an IPv4 tail of an IPv6 address; a URL has none. */
function masked(address: string): string {
  return isIP(address) === 4
    ? `${address}/32`
    : `${new URL(`http://[${address}]/`).hostname.slice(1, -1)}/128`
}

/**
 * The DER of NameConstraints (RFC 5280 §4.2.1.10) that permits these host names, their subdomains, and these addresses.
 */
export async function permitNames(names: readonly string[]): Promise<ArrayBuffer> {
  const { AsnConvert, GeneralName, GeneralSubtree, GeneralSubtrees, NameConstraints } = await asn1()
  const subtrees = [...new Set(names.map(subtree))].map(name => {
    const base = isIP(name) ? { iPAddress: masked(name) } : { dNSName: name }
    return new GeneralSubtree({ base: new GeneralName(base) })
  })
  return AsnConvert.serialize(new NameConstraints({ permittedSubtrees: new GeneralSubtrees(subtrees) }))
}

/** The names and addresses that the DER of NameConstraints permits. */
export async function permittedNames(value: Uint8Array): Promise<string[]> {
  const { AsnConvert, NameConstraints } = await asn1()
  const { permittedSubtrees = [] } = AsnConvert.parse(value, NameConstraints)
  return permittedSubtrees.map(({ base: { dNSName = '', iPAddress } }) => {
    if (iPAddress === undefined) return dNSName
    const [address = ''] = iPAddress.split('/')
    return isIP(address) === 6 ? canonicalAddress(address) : address
  })
}

/** The names that are not among the permitted names, nor below one. */
export function notPermitted(permitted: readonly string[], names: readonly string[]): string[] {
  const fits = (name: string) =>
    permitted.some(each => name === each || (!isIP(name) && name.endsWith(`.${each}`)))
  return names.filter(name => !fits(subtree(name)))
}
