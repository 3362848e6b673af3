import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { TransportOptions } from '../../client/transport.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import { isLoopback } from '../lab-file/names.js'

/** Addresses that only this computer or its networks reach, or nobody (RFC 6890): a client must not make the lab call them. */
const INSIDE = new BlockList()
for (const [network, prefix] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
] as const) {
  INSIDE.addSubnet(network, prefix, 'ipv4')
}
for (const [network, prefix] of [
  ['::', 96],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
] as const) {
  INSIDE.addSubnet(network, prefix, 'ipv6')
}

/** True for an IP address that only this computer or its networks reach. */
export function isInside(address: string): boolean {
  // A resolver may add the zone of a link-local address, as in fe80::1%eth0.
  const [plain = ''] = address.split('%')
  return INSIDE.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

/** An IPv4 address in the form of an IPv6 address (RFC 4291 §2.5.5.2): no public server needs the spelling. */
const isMapped = (address: string) => /^::ffff:/i.test(address)

/** The code of the refusals. A transport keeps it when it describes a failed connection. */
const REFUSED = 'EPRIVATEADDRESS'

/** True for an error because an address is not called. */
export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === REFUSED
}

const privateAddress = (host: string, whose: string) => `${host} is an address of a private network; ${whose}`

const refusedAddress = (host: string, whose: string) =>
  Object.assign(new FetchFailure('address', privateAddress(host, whose)), { code: REFUSED })

const FOR_LABS = 'a lab that other machines reach does not call it'
const FOR_STRANGERS = 'no client that introduces itself makes the lab call it'

/** Addresses by name, as the lines of a hosts file have them. */
export type Hosts = Readonly<Record<string, string>>

/** Resolves a name to all of its addresses. The names of `hosts` are known without a question to a resolver. */
function resolverOf(hosts: Hosts): typeof resolveAll {
  return (hostname, options, done) => {
    const known = Object.hasOwn(hosts, hostname) ? hosts[hostname] : undefined
    if (known === undefined) resolveAll(hostname, options, done)
    else done(null, [{ address: known, family: isIP(known) }])
  }
}

const resolveAll = (
  hostname: string,
  options: LookupOptions,
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
): void => resolve(hostname, { ...options, all: true }, done)

/** Resolves a name, and refuses it when one of its addresses is refused. The connection uses the checked addresses. */
function guardedLookup(
  mayCall: (address: string, host: string) => boolean,
  whose: string,
  hosts: Hosts = {},
): LookupFunction {
  const resolveName = resolverOf(hosts)
  return (hostname, options, done) => {
    resolveName(hostname, options, (error, addresses) => {
      if (error !== null) return done(error, '')
      if (!addresses.every(({ address }) => mayCall(address, hostname))) {
        return done(refusedAddress(hostname, whose), '')
      }
      const [first] = addresses
      if (options.all) done(null, addresses)
      else done(null, first?.address ?? '', first?.family)
    })
  }
}

/** The surroundings of a lab that calls addresses of clients. */
export interface ClientNetwork {
  /** Certificate authorities to trust, PEM, beside those that Node trusts. */
  readonly caPem: string
  /** The host that the lab listens on. Absent: this machine only. */
  readonly host?: string | undefined
  /** Names that are known without a resolver. Absent: none. */
  readonly hosts?: Hosts | undefined
}

/** The rules by which a lab calls addresses of clients. */
export interface ClientAddresses {
  /** Options of the transport that makes the calls. */
  readonly guard: Pick<TransportOptions, 'lookup' | 'env'>
  /** True for an address that may be called by plain http, where a call may have it. */
  mayBePlain(url: string): boolean
  /**
   * Returns why an address is not called, where the address itself shows it; undefined otherwise. What a name stands for is
   * checked when it is called.
   */
  problem(url: string): string | undefined
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

/** True for an address of this computer by plain http, where nothing is unprotected. */
function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isLoopback(withoutBrackets(hostname))
}

/** Returns rules that call an address only where `mayCall` says so; a proxy would resolve the name itself. */
function guarded(
  mayCall: (address: string, host: string) => boolean,
  whose: string,
  hosts?: Hosts,
): ClientAddresses {
  const { NODE_EXTRA_CA_CERTS } = process.env
  return {
    guard: { lookup: guardedLookup(mayCall, whose, hosts), env: { NODE_EXTRA_CA_CERTS } },
    mayBePlain: () => false,
    problem(url) {
      const name = withoutBrackets(new URL(url).hostname)
      // Names of this computer need no resolver (RFC 6761 §6.3).
      const address = isIP(name) === 0 && isLoopback(name) ? '127.0.0.1' : name
      return isIP(address) !== 0 && !mayCall(address, name) ? privateAddress(name, whose) : undefined
    },
  }
}

/** Rules that call every address. */
const ANY_ADDRESS: ClientAddresses = {
  guard: {},
  mayBePlain: isPlainLoopback,
  problem: () => undefined,
}

/**
 * Returns the rules for addresses that the lab file names. A lab that listens on loopback alone may call any address; any
 * other lab only public ones.
 */
export function clientAddresses({ host }: Pick<ClientNetwork, 'host'>): ClientAddresses {
  if (host === undefined || isLoopback(host)) return ANY_ADDRESS
  return guarded(address => !isInside(address), FOR_LABS)
}

/**
 * Returns the rules for addresses that come from clients that introduced themselves: public ones, and hosts of a list.
 * @param allowed names of hosts; `localhost` stands for this computer by all of its own names and addresses
 */
export function strangerAddresses(allowed: readonly string[], hosts?: Hosts): ClientAddresses {
  const names = new Set(allowed)
  const mayCall = (address: string, host: string) => {
    if (names.has('localhost') && isLoopback(host)) return isLoopback(address)
    return names.has(host) || (!isInside(address) && !isMapped(address))
  }
  const mayBePlain = (url: string) => names.has('localhost') && isPlainLoopback(url)
  return { ...guarded(mayCall, FOR_STRANGERS, hosts), mayBePlain }
}

/** Returns rules that call every address, by plain http too: those of the weak mode `fetch-anything`. */
export function everyAddress(hosts: Hosts = {}): ClientAddresses {
  return { ...guarded(() => true, '', hosts), mayBePlain: url => new URL(url).protocol === 'http:' }
}
