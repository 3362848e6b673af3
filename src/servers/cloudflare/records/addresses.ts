import { isIPv4, isIPv6, SocketAddress } from 'node:net'

/** An IPv4 address in dotted decimal; undefined for any other text. */
export function ipv4(text: string): string | undefined {
  return isIPv4(text) ? text : undefined
}

/** An IPv6 address in its shortest form (RFC 5952); undefined for any other text, and for a zone index. */
export function ipv6(text: string): string | undefined {
  if (!isIPv6(text) || text.includes('%')) return undefined
  return new SocketAddress({ address: text, family: 'ipv6' }).address
}
