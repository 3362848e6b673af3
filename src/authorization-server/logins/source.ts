import { isIPv4, isIPv6 } from 'node:net'

/** The source of every attempt from this machine: all of 127.0.0.0/8, and ::1. */
const LOOPBACK = 'loopback'

/**
 * Returns the source that attempts from an address are counted for. Anyone who has one address of a block can use all of
 * them, so all addresses of the loopback network are one source, and so are those of an IPv6 /64 (RFC 4291 §2.5.1). An
 * IPv4 address in IPv6 notation is the same source as the IPv4 address.
 * @param address of the peer; absent for a request that came through no socket
 */
export function sourceOf(address = ''): string {
  const bare = address.split('%', 1)[0]!
  if (isIPv4(bare)) return ofIPv4(bare)
  if (!isIPv6(bare)) return bare
  const groups = groupsOf(bare)
  const [high = 0, low = 0] = groups.slice(6)
  const head = groups.slice(0, 5).every(group => group === 0)
  if (head && groups[5] === 0xffff) return ofIPv4([high >> 8, high & 255, low >> 8, low & 255].join('.'))
  if (head && groups[5] === 0 && high === 0 && low === 1) return LOOPBACK
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

const ofIPv4 = (address: string) => (address.startsWith('127.') ? LOOPBACK : address)

/** Returns the eight groups of an IPv6 address as numbers. The URL parser writes the last 32 bits as two groups. */
function groupsOf(address: string): readonly number[] {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [before = [], after = []] = written
    .split('::')
    .map(part => (part === '' ? [] : part.split(':').map(group => Number.parseInt(group, 16))))
  const zeros = Math.max(0, 8 - before.length - after.length)
  return [...before, ...Array<number>(zeros).fill(0), ...after]
}
