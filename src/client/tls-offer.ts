import { once } from 'node:events'
import { isIP } from 'node:net'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import type { Environment } from './transport/authorities.js'
import { environmentProxy } from './transport/proxy.js'
import { lookupFor, type Resolve } from './transport/resolve.js'

/** A version of TLS that is offered alone. */
export type OfferedTls = 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3'

/** The settings of an offer. */
export interface OfferOptions {
  readonly version: OfferedTls
  /** Names of OpenSSL. Absent: every suite that OpenSSL has. */
  readonly suites?: readonly string[] | undefined
  /** The most milliseconds for the handshake. */
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly env: Environment
  readonly resolve?: Resolve | undefined
}

/** True for an error that ended a handshake, rather than the connection before it. */
function isOfTls(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  // Many servers close the connection at a version that they do not know.
  return code !== undefined && (/^(ERR_SSL_|EPROTO$|ECONNRESET$)/.test(code) || code === 'EPIPE')
}

/** The answer to an offer. `not_offered`: the OpenSSL of this computer cannot make the offer. */
export type OfferAnswer = 'taken' | 'refused' | 'not_offered'

/** True for an error of OpenSSL before it sends anything, such as in a FIPS mode. */
function isOwn(error: unknown): boolean {
  const { code = '' } = error as NodeJS.ErrnoException
  return /^ERR_SSL_NO_(CIPHER_MATCH|CIPHERS_AVAILABLE|PROTOCOLS_AVAILABLE)$/.test(code)
}

/**
 * Offers one version of TLS to a server. The certificate is not checked, and nothing is sent: only the version matters.
 * @returns undefined where no handshake could be made, as behind a proxy
 */
export async function offerTls(address: string, options: OfferOptions): Promise<OfferAnswer | undefined> {
  const { version, suites = ['DEFAULT'], timeoutMs, signal, env, resolve } = options
  const url = new URL(address)
  if (url.protocol !== 'https:' || environmentProxy(url, env)) return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port || 443)
  const lookup = lookupFor(resolve, host, port)
  const socket = connecting({
    host,
    port,
    ...(lookup !== undefined && { lookup }),
    ...(isIP(host) === 0 && { servername: host }),
    minVersion: version,
    maxVersion: version,
    // OpenSSL refuses to offer old versions at its default level of security.
    ciphers: [...suites, '@SECLEVEL=0'].join(':'),
    rejectUnauthorized: false,
  })
  if (socket === undefined) return 'not_offered'
  // A late error has no other listener.
  socket.on('error', () => {})
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]) })
    return 'taken'
  } catch (error) {
    signal.throwIfAborted()
    if (isOwn(error)) return 'not_offered'
    return isOfTls(error) ? 'refused' : undefined
  } finally {
    socket.destroy()
  }
}

/** Begins a connection. Returns undefined where OpenSSL refuses its settings. */
function connecting(options: ConnectionOptions): TLSSocket | undefined {
  try {
    return connect(options)
  } catch (error) {
    if (isOwn(error)) return undefined
    throw error
  }
}
