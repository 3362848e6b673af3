import { type LookupAddress, type LookupOptions, lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import type { TransportOptions } from '../../client/transport.js'
import { FetchFailure } from '../../servers/authorization-server/client-documents/fetch-failure.js'
import { isLocal, isLoopback } from '../lab-file/names.js'

/** Not on the Internet (RFC 6890): a client must not make the lab call them. */
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

export function isInside(address: string): boolean {
  // As in fe80::1%eth0.
  const [plain = ''] = address.split('%')
  return INSIDE.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
}

/** RFC 4291 §2.5.5.2: no public server needs the spelling. */
const isMapped = (address: string) => /^::ffff:/i.test(address)

/** A transport keeps this code in its description of a failed connection. */
const REFUSED = 'EPRIVATEADDRESS'

export function isRefusedAddress(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === REFUSED
}

const privateAddress = (host: string, whose: string) => `${host} is an address of a private network; ${whose}`

const refusedAddress = (host: string, whose: string) =>
  Object.assign(new FetchFailure('address', privateAddress(host, whose)), { code: REFUSED })

const FOR_LABS = 'a lab that other machines reach does not call it'
const FOR_STRANGERS =
  'no client that introduces itself makes the lab call it, unless client_id_documents.allow of the lab file names its host'

/** As the lines of a hosts file. */
export type Hosts = Readonly<Record<string, string>>

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

/** Refuses a name when one of its addresses is refused. The connection uses the checked addresses. */
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

export interface ClientNetwork {
  /** Trusted beside the authorities of Node. */
  readonly caPem: string
  /** Absent: this machine only. */
  readonly host?: string | undefined
  /** Names that need no resolver. */
  readonly hosts?: Hosts | undefined
}

/** The rules by which a lab calls addresses of clients. */
export interface ClientAddresses {
  readonly guard: Pick<TransportOptions, 'lookup' | 'env'>
  /** True for an address that may be called by plain http. */
  mayBePlain(url: string): boolean
  /** Why an address is not called, as far as it shows; names are checked when they are called. */
  problem(url: string): string | undefined
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Nothing is unprotected on this computer. */
function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'http:' && isLoopback(withoutBrackets(hostname))
}

/** No proxy is used: it would resolve the name itself. */
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

const ANY_ADDRESS: ClientAddresses = {
  guard: {},
  mayBePlain: isPlainLoopback,
  problem: () => undefined,
}

/** For addresses of the lab file. A lab on loopback alone may call any address, others only public ones. */
export function clientAddresses({ host }: Pick<ClientNetwork, 'host'>): ClientAddresses {
  if (isLocal(host)) return ANY_ADDRESS
  return guarded(address => !isInside(address), FOR_LABS)
}

/**
 * For addresses of clients that introduced themselves: public ones, and hosts of a list.
 * @param allowed names of hosts; `localhost` stands for this computer by all of its names and addresses
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

/** The weak mode `fetch-anything`. */
export function everyAddress(hosts: Hosts = {}): ClientAddresses {
  return { ...guarded(() => true, '', hosts), mayBePlain: url => new URL(url).protocol === 'http:' }
}
