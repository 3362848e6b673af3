import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { TransportOptions } from '../client/transport.js'
import { isLoopback } from './names.js'

/** Addresses that only this computer or its networks reach (RFC 6890): a client must not make the lab call them. */
const INSIDE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 3],
] as const) {
  INSIDE.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  INSIDE.addSubnet(network, prefix, 'ipv6')
}

/** True for an IP address that only this computer or its networks reach. */
export function isInside(address: string): boolean {
  return INSIDE.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

const refusedAddress = (host: string) =>
  new Error(`${host} is an address of a private network; a lab that other machines reach does not call it`)

/** Resolves a name, and refuses it when one of its addresses is inside. The connection uses the checked addresses. */
const lookupOutside: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return done(error, '')
    if (addresses.some(({ address }) => isInside(address))) return done(refusedAddress(hostname), '')
    const [first] = addresses
    if (options.all) done(null, addresses)
    else done(null, first?.address ?? '', first?.family)
  })
}

/** The surroundings of a lab that calls addresses of clients. */
export interface ClientNetwork {
  /** Certificate authorities to trust, PEM, beside those that Node trusts. */
  readonly caPem: string
  /** The host that the lab listens on. Absent: this machine only. */
  readonly host?: string | undefined
}

/** The rules by which a lab calls addresses of clients. */
export interface ClientAddresses {
  /** Options of the transport that makes the calls. */
  readonly guard: Pick<TransportOptions, 'lookup' | 'env'>
  /** True for plain http to this computer, where a call may have it. */
  isPlainLoopback(url: string): boolean
  /** @throws Error for an address that is not called */
  check(url: string): void
}

/**
 * Returns the rules for a lab. A lab that listens on loopback alone may call any address; any other lab only public ones,
 * without a proxy, which would resolve the name itself.
 */
export function clientAddresses({ host }: Pick<ClientNetwork, 'host'>): ClientAddresses {
  const anyAddress = host === undefined || isLoopback(host)
  const { NODE_EXTRA_CA_CERTS } = process.env
  return {
    guard: anyAddress ? {} : { lookup: lookupOutside, env: { NODE_EXTRA_CA_CERTS } },
    isPlainLoopback(url) {
      const { protocol, hostname } = new URL(url)
      return anyAddress && protocol === 'http:' && isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'))
    },
    check(url) {
      const { username, password, hostname } = new URL(url)
      if (username !== '' || password !== '') throw new Error('its address has a user and password')
      const name = hostname.replace(/^\[(.*)\]$/, '$1')
      if (!anyAddress && isIP(name) !== 0 && isInside(name)) throw refusedAddress(name)
    },
  }
}
