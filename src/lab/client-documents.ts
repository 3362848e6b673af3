import { lookup as resolve } from 'node:dns'
import { BlockList, isIP, type LookupFunction } from 'node:net'
import { createSemaphore } from '../authorization-server/logins/semaphore.js'
import type { FetchDocument } from '../authorization-server/settings.js'
import { createTransport, type Transport } from '../client/transport.js'
import { isLoopback } from './names.js'

/** Longest document, in bytes. */
const MAX_BODY = 64 * 1024

/** Longest wait for a document, in milliseconds. */
const TIME_LIMIT = 5000

/** Documents that are fetched at the same time, and that may wait. */
const AT_ONCE = 4
const MAX_WAITING = 40

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

/** The surroundings of the lab that fetches documents. */
export interface ClientDocumentsOptions {
  /** Certificate authorities to trust, PEM, beside those that Node trusts. */
  readonly caPem: string
  /** The host that the lab listens on. Absent: this machine only. */
  readonly host?: string | undefined
}

/** @throws Error for an address that is not fetched */
function checkAddress(url: string, anyAddress: boolean): void {
  const { protocol, username, password, hostname } = new URL(url)
  if (protocol !== 'https:') throw new Error('its address is not https')
  if (username !== '' || password !== '') throw new Error('its address has a user and password')
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  if (!anyAddress && isIP(host) !== 0 && isInside(host)) throw refusedAddress(host)
}

/**
 * Creates the function that fetches documents of clients, over https with a checked certificate and without redirects. A
 * lab that listens on loopback alone may fetch from any address; any other lab only from public ones, without a proxy.
 */
export function createClientDocuments({ caPem, host }: ClientDocumentsOptions): FetchDocument {
  const inTurn = createSemaphore({ atOnce: AT_ONCE, waiting: MAX_WAITING })
  const anyAddress = host === undefined || isLoopback(host)
  let transport: Transport | undefined

  async function fetched(url: string, accept: string): ReturnType<FetchDocument> {
    const { NODE_EXTRA_CA_CERTS } = process.env
    // A proxy would resolve the name itself.
    const guard = anyAddress ? {} : { lookup: lookupOutside, env: { NODE_EXTRA_CA_CERTS } }
    transport ??= createTransport({ caPem, maxBody: MAX_BODY, timeoutMs: TIME_LIMIT, ...guard })
    const headers = [
      ['accept', accept],
      ['connection', 'close'],
    ] as const
    const { response } = await transport.send({ method: 'GET', url, headers, body: new Uint8Array() })
    const status = response?.status ?? 0
    if (status >= 300 && status < 400) throw new Error(`it answered ${status}; redirects are not followed`)
    if (response === undefined || status !== 200) throw new Error(`it answered ${status}`)
    const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    return { body: response.body, ...(type !== undefined && { contentType: type }) }
  }

  return async (url, accept) => {
    checkAddress(url, anyAddress)
    const found = await inTurn(() => fetched(url, accept))
    if (found === 'full') throw new Error('too many documents of clients are fetched now')
    return found
  }
}
