import { isIPv4, isIPv6 } from 'node:net'

/** The two networks of this machine. */
const LOOPBACK_4 = '127.0.0.0/8'
const LOOPBACK_6 = '::1'

/**
 * Returns the source that requests from an address are counted for: its network. 127.0.0.0/8 and ::1 are one
 * source, because everyone on this machine can use both.
 * @param address of the peer; absent for a request that came through no socket
 */
export function sourceOf(address?: string): string {
  const network = networkOf(address)
  return network === LOOPBACK_4 || network === LOOPBACK_6 ? 'loopback' : network
}

/**
 * Returns the network of an address. Anyone who has one address of a network can use all of them, so 127.0.0.0/8 is one
 * network, and so is each IPv6 /64 (RFC 4291 §2.5.1). An IPv4 address in IPv6 notation is in the network of the IPv4
 * address.
 * @param address of the peer; absent for a request that came through no socket
 */
export function networkOf(address = ''): string {
  const bare = address.split('%', 1)[0]!
  if (isIPv4(bare)) return ofIPv4(bare)
  if (!isIPv6(bare)) return bare
  const groups = groupsOf(bare)
  const [high = 0, low = 0] = groups.slice(6)
  const head = groups.slice(0, 5).every(group => group === 0)
  if (head && groups[5] === 0xffff) return ofIPv4([high >> 8, high & 255, low >> 8, low & 255].join('.'))
  if (head && groups[5] === 0 && high === 0 && low === 1) return LOOPBACK_6
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

const ofIPv4 = (address: string) => (address.startsWith('127.') ? LOOPBACK_4 : address)

/** Returns the eight groups of an IPv6 address as numbers. The URL parser writes the last 32 bits as two groups. */
function groupsOf(address: string): readonly number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = written
    .split('::')
    .map(part => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))))
  const zeros = Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}
