import { isIP, isIPv4, SocketAddress } from 'node:net'
import { UsageError } from '../../protocol/errors.js'

/** In every lab certificate. */
export const LAB_NAMES: readonly string[] = ['localhost', '127.0.0.1', '::1']

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * A host name or address as certificates hold it: lower case, no brackets, IPv6 in its shortest form, `*.` as a wildcard.
 * @throws UsageError where it is neither
 */
export function certificateName(text: string): string {
  const name = text.toLowerCase().replace(/^\[(.*)\]$/, '$1')
  if (isIP(name)) return canonicalAddress(name)
  const labels = name.replace(/^\*\./, '').split('.')
  const looksLikeAddress = /^[\d.]+$/.test(name)
  if (name.length > 253 || looksLikeAddress || !labels.every(each => label.test(each))) {
    throw new UsageError(`${JSON.stringify(text)} is neither a host name nor an IP address`, [
      'A name for the certificate looks like lab.example or 192.0.2.7',
    ])
  }
  return name
}

export function canonicalAddress(address: string): string {
  if (isIPv4(address)) return address
  return new SocketAddress({ address, family: 'ipv6' }).address
}

/** 4 or 16 bytes. */
export function addressBytes(address: string): Uint8Array {
  if (isIPv4(address)) return Uint8Array.from(address.split('.'), Number)
  // A URL writes an IPv6 address in hexadecimal, also with an IPv4 tail.
  const text = new URL(`http://[${address.split('%')[0]}]/`).hostname.slice(1, -1)
  const [head = '', tail] = text.split('::')
  const groups = (part: string) => (part === '' ? [] : part.split(':').map(each => Number.parseInt(each, 16)))
  const before = groups(head)
  const after = groups(tail ?? '')
  const all = [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after]
  return Uint8Array.from(all.flatMap(group => [group >> 8, group & 255]))
}

/** True for a listener that this machine alone reaches. @param host undefined: the default, which is loopback */
export const isLocal = (host: string | undefined): boolean => host === undefined || isLoopback(host)

/** True for a name or address of this machine only. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    host === '::1' ||
    (isIPv4(host) && host.startsWith('127.'))
  )
}
