import { BlockList, isIP } from 'node:net'
import { UsageError } from '../../protocol/errors.js'
import { parsedUrl, percentDecoded } from '../../protocol/http/address.js'
import type { Environment } from './authorities.js'

/** An HTTP proxy. */
export interface HttpProxy {
  /** The scheme, host and port, without the credentials. */
  readonly origin: string
  /** The value of Proxy-Authorization (RFC 9110 §11.7.2); absent without credentials. */
  readonly authorization?: string
  /** The setting that names the proxy, for messages. */
  readonly from: string
}

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Parses the address of a proxy. The default scheme is http.
 * @throws UsageError, whose message never repeats the address because it may contain a password
 */
export function readProxy(address: string, from: string): HttpProxy {
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(address) ? address : `http://${address}`
  const url = parsedUrl(text)
  if (url === undefined || !(url.protocol in defaultPorts) || url.hostname === '') {
    throw new UsageError(`${from} does not name an HTTP proxy`, ['It looks like http://proxy.example:3128'])
  }
  const { origin, username, password } = url
  if (username === '' && password === '') return { origin, from }
  const pair = Buffer.from(`${percentDecoded(username)}:${percentDecoded(password)}`)
  return { origin, from, authorization: `Basic ${pair.toString('base64')}` }
}

/** Normalizes a host name for NO_PROXY: lower case, without brackets and the final dot. */
function plainName(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\.[\d.]+$/.test(host)
}

/** True when an address is within a block such as `10.0.0.0/8`. */
function isWithin(host: string, block: string): boolean {
  const [network = '', length = ''] = block.split('/')
  const family = isIP(network)
  const bits = Number(length)
  if (family === 0 || isIP(host) !== family || !/^\d+$/.test(length) || bits > (family === 4 ? 32 : 128)) {
    return false
  }
  const kind = family === 4 ? 'ipv4' : 'ipv6'
  const list = new BlockList()
  list.addSubnet(network, bits, kind)
  return list.check(host, kind)
}

/** True when one entry of NO_PROXY covers a host and port. */
function covers(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true
  if (entry.includes('/')) return isWithin(host, entry)
  // An IPv6 address with a port needs brackets.
  const [, name = entry, onlyPort] = isIP(entry) ? [] : (/^(.*?)(?::(\d+))?$/.exec(entry) ?? [])
  if (onlyPort !== undefined && onlyPort !== port) return false
  const domain = plainName(name).replace(/^\*?\./, '')
  if (domain === '') return false
  return host === domain || (isIP(host) === 0 && host.endsWith(`.${domain}`))
}

/** Returns the variable with this name, in lower case if that is set, else in upper case. */
function variable(env: Environment, name: string): { value: string; from: string } | undefined {
  for (const from of [name.toLowerCase(), name]) {
    const value = env[from]?.trim()
    if (value) return { value, from }
  }
  return undefined
}

/**
 * Returns the proxy that the environment names for a URL: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY covers the host. A name in NO_PROXY covers its
 * subdomains, with or without a leading dot. Requests to this machine never go through a proxy.
 * @throws UsageError
 */
export function environmentProxy({ protocol, hostname, port }: URL, env: Environment): HttpProxy | undefined {
  const named = variable(env, protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY')
  const host = plainName(hostname)
  if (named === undefined || isLoopback(host)) return undefined
  const entries = (variable(env, 'NO_PROXY')?.value ?? '').split(/[\s,]+/)
  const reached = port || defaultPorts[protocol] || ''
  if (entries.some(entry => entry !== '' && covers(entry, host, reached))) return undefined
  return readProxy(named.value, named.from)
}
