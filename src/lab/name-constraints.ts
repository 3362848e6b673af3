import { isIP } from 'node:net'
import { addressBytes, canonicalAddress } from './names.js'

// NameConstraints (RFC 5280 §4.2.1.10), encoded here because the certificate library has no class for it.
// SEQUENCE { [0] SEQUENCE OF SEQUENCE { base GeneralName } }
// where base is [2] a DNS name, or [7] an address followed by its mask.

const SEQUENCE = 0x30
const PERMITTED = 0xa0
const DNS_NAME = 0x82
const IP_ADDRESS = 0x87

function write(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

/** The elements that stand one after the other in `der`. */
function read(der: Uint8Array): { tag: number; content: Uint8Array }[] {
  const found: { tag: number; content: Uint8Array }[] = []
  for (let at = 0; at + 2 <= der.length; ) {
    const first = der[at + 1]!
    const extra = first < 128 ? 0 : first & 0x7f
    let length = extra === 0 ? first : 0
    for (let i = 0; i < extra; i++) length = length * 256 + (der[at + 2 + i] ?? 0)
    const start = at + 2 + extra
    found.push({ tag: der[at]!, content: der.subarray(start, start + length) })
    at = start + length
  }
  return found
}

/** The subtree that permits a name: the name itself, or for a wildcard its parent. */
const subtree = (name: string): string => name.replace(/^\*\./, '')

/** The DER of the extension's value that permits these host names, their subdomains, and these addresses. */
export function permitNames(names: readonly string[]): Buffer {
  const subtrees = [...new Set(names.map(subtree))].map(name => {
    if (!isIP(name)) return write(SEQUENCE, write(DNS_NAME, Buffer.from(name, 'ascii')))
    const address = addressBytes(name)
    const one = Buffer.alloc(address.length, 0xff)
    return write(SEQUENCE, write(IP_ADDRESS, Buffer.concat([address, one])))
  })
  return write(SEQUENCE, write(PERMITTED, Buffer.concat(subtrees)))
}

function addressText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.')
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[2 * i]! << 8) | bytes[2 * i + 1]!).toString(16))
  return canonicalAddress(groups.join(':'))
}

/** The names and addresses that the extension's value permits. */
export function permittedNames(value: Uint8Array): string[] {
  const subtrees = read(value).flatMap(({ content }) =>
    read(content).flatMap(each => (each.tag === PERMITTED ? read(each.content) : [])),
  )
  return subtrees.flatMap(({ content }) =>
    read(content).map(({ tag, content: base }) =>
      tag === IP_ADDRESS
        ? addressText(base.subarray(0, base.length / 2))
        : Buffer.from(base).toString('ascii'),
    ),
  )
}

/** Those of the names that the extension's value does not permit. */
export function notPermitted(value: Uint8Array, names: readonly string[]): string[] {
  const permitted = permittedNames(value)
  const fits = (name: string) =>
    permitted.some(each => name === each || (!isIP(name) && name.endsWith(`.${each}`)))
  return names.filter(name => !fits(subtree(name)))
}
