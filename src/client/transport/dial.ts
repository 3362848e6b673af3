import { once } from 'node:events'
import net, { isIP, type LookupFunction, type Socket } from 'node:net'
import tls from 'node:tls'
import { urlHost } from '../../protocol/http/address.js'
import type { HeaderList } from '../../protocol/http/message.js'
import { codeOf, isForeignCertificate, ProxyError, transportError } from '../transport-errors.js'
import { authorities, type CertificateOptions, type Environment } from './authorities.js'
import { type Connection, connectionOn, type Tunnel } from './connection.js'
import type { HttpProxy } from './proxy.js'
import { lookupFor, type Resolve } from './resolve.js'

/** The settings for new connections. */
export interface DialOptions extends CertificateOptions {
  /** True to accept any certificate. */
  readonly insecure?: boolean | undefined
  /** The name to expect in the certificate, instead of the host of the URL. */
  readonly serverName?: string | undefined
  /** Resolves the names of servers that no proxy stands before. Left out: the system does. */
  readonly lookup?: LookupFunction
  /** Names some addresses in place of a lookup, for servers that no proxy stands before. */
  readonly resolve?: Resolve | undefined
}

/** The path to a server, directly or through a proxy. */
export interface Route {
  readonly url: URL
  readonly proxy?: HttpProxy
}

/** Opens a connection. @throws ProxyError, another network error, or the reason of the signal */
export type Dial = (route: Route, signal: AbortSignal) => Promise<Connection>

/** The host and port of a TCP or TLS connection. */
interface Place {
  readonly host: string
  readonly port: number
}

function placeOf({ hostname, port, protocol }: URL): Place {
  return {
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port || (protocol === 'https:' ? 443 : 80)),
  }
}

/** Waits until a socket is connected. Destroys the socket when that fails or the signal is aborted. */
async function connected<S extends Socket>(socket: S, event: string, signal: AbortSignal): Promise<S> {
  // The request on the socket reports its errors. Between two requests, an error without a listener would end the program.
  socket.on('error', () => {})
  try {
    await once(socket, event, { signal })
  } catch (error) {
    socket.destroy()
    throw error
  }
  socket.setNoDelay(true)
  return socket
}

/** Returns the Proxy-Authorization header for a proxy with credentials. */
export function proxyHeaders({ authorization }: HttpProxy): HeaderList {
  return authorization === undefined ? [] : [['proxy-authorization', authorization]]
}

function proxyHints({ from, authorization }: HttpProxy, host: string, status?: number): string[] {
  if (!/^https?_proxy$/i.test(from)) return [`The proxy is from ${from}.`]
  const around = `${from} names the proxy. To go around it:   NO_PROXY=${host}`
  return status === 407 && authorization === undefined
    ? [`The proxy requires credentials:   ${from}=http://USER:PASSWORD@HOST:PORT`, around]
    : [around]
}

/** Creates the function that opens connections, directly or through a proxy. */
export function createDial(options: DialOptions, env: Environment): Dial {
  const { insecure, serverName, caPem, pinned, resolve } = options
  const trusted = authorities(options, env)
  // A pinned authority and a client certificate are for the server, not for the proxy.
  const proxyTrust = authorities({ caPem: pinned ? undefined : caPem }, env)

  function startTls(place: Place, settings: tls.ConnectionOptions, signal: AbortSignal) {
    const servername = settings.servername ?? (isIP(place.host) === 0 ? place.host : undefined)
    const socket = tls.connect({
      // This is explicit because NODE_TLS_REJECT_UNAUTHORIZED would change the default.
      rejectUnauthorized: true,
      ALPNProtocols: ['http/1.1'],
      ...place,
      ...settings,
      ...(servername !== undefined && { servername }),
    })
    return connected(socket, 'secureConnect', signal)
  }

  async function toServer(url: URL, signal: AbortSignal, through?: Socket): Promise<Socket> {
    const named = placeOf(url)
    const lookup = lookupFor(resolve, named.host, named.port) ?? options.lookup
    const place = { ...named, ...(lookup !== undefined && { lookup }) }
    if (url.protocol !== 'https:') return connected(net.connect(place), 'connect', signal)
    const settings: tls.ConnectionOptions = { rejectUnauthorized: insecure !== true }
    if (serverName !== undefined) settings.servername = serverName
    if (through) settings.socket = through
    const quick = through ? undefined : trusted.quick(place.host)
    if (quick) {
      try {
        return await startTls(place, { ...settings, secureContext: quick }, signal)
      } catch (error) {
        if (!isForeignCertificate(codeOf(error) ?? '')) throw error
      }
    }
    return startTls(place, { ...settings, secureContext: trusted.all() }, signal)
  }

  function toProxy(proxy: HttpProxy, signal: AbortSignal): Promise<Socket> {
    const url = new URL(proxy.origin)
    const place = placeOf(url)
    if (url.protocol !== 'https:') return connected(net.connect(place), 'connect', signal)
    return startTls(place, { secureContext: proxyTrust.all() }, signal)
  }

  async function openTunnel(proxy: HttpProxy, { host, port }: Place, signal: AbortSignal): Promise<Socket> {
    const target = `${urlHost(host)}:${port}`
    const { status, socket } = await namingProxy(proxy, host, signal, async (): Promise<Tunnel> => {
      const connection = connectionOn(await toProxy(proxy, signal))
      return connection.connect(target, [['host', target], ...proxyHeaders(proxy)], signal)
    })
    if (status >= 200 && status < 300) return socket
    socket.destroy()
    throw new ProxyError(
      `the proxy ${proxy.origin} answered ${status} to CONNECT ${target}`,
      'EPROXY',
      proxyHints(proxy, host, status),
    )
  }

  /** Runs `work`, and names the proxy in its errors. */
  async function namingProxy<T>(
    proxy: HttpProxy,
    host: string,
    signal: AbortSignal,
    work: () => Promise<T>,
  ): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (signal.aborted) throw error
      const { message, code } = transportError(error, `the proxy ${proxy.origin}`)
      throw new ProxyError(message, code, proxyHints(proxy, host), { cause: error })
    }
  }

  return async ({ url, proxy }, signal) => {
    if (proxy === undefined) return connectionOn(await toServer(url, signal))
    const place = placeOf(url)
    if (url.protocol === 'https:') {
      const tunnel = await openTunnel(proxy, place, signal)
      return connectionOn(await toServer(url, signal, tunnel))
    }
    return connectionOn(await namingProxy(proxy, place.host, signal, () => toProxy(proxy, signal)))
  }
}
